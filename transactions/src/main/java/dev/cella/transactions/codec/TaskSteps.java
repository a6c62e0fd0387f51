package dev.cella.transactions.codec;

import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.Arrays;

/**
 * Tasks of one group that take the same step, one after another: the step, and the index of each task. Times are wall times; 0
 * means none or unchanged. The exit code may be {@link ChangeSink#EXIT_CODE_NONE}. The owner fills it again and again, so a
 * receiver must not keep it.
 */
public final class TaskSteps {
    private TaskState state = TaskState.PENDING;
    private TaskReason reason = TaskReason.NONE;
    private int exitCode = ChangeSink.EXIT_CODE_NONE;
    private long startedAtMillis;
    private long endedAtMillis;
    private int count;
    private int[] indexes = new int[16];

    /** Starts another step, without tasks. */
    public TaskSteps begin(
            TaskState nextState, TaskReason nextReason, int nextExitCode, long nextStartedAt, long nextEndedAt) {
        become(nextState, nextReason);
        exitCode = nextExitCode;
        startedAtMillis = nextStartedAt;
        endedAtMillis = nextEndedAt;
        count = 0;
        return this;
    }

    /** Most steps equal the previous one. This skips the write then: the GC barrier stalls on earlier stores. */
    private void become(TaskState nextState, TaskReason nextReason) {
        if (state != nextState) {
            state = nextState;
        }
        if (reason != nextReason) {
            reason = nextReason;
        }
    }

    /** Returns whether the tasks take exactly this step. */
    public boolean isOf(
            TaskState otherState, TaskReason otherReason, int otherExitCode, long otherStartedAt, long otherEndedAt) {
        return state == otherState
                && reason == otherReason
                && exitCode == otherExitCode
                && startedAtMillis == otherStartedAt
                && endedAtMillis == otherEndedAt;
    }

    public TaskSteps add(int index) {
        if (count == indexes.length) {
            indexes = Arrays.copyOf(indexes, 2 * count);
        }
        indexes[count++] = index;
        return this;
    }

    public void clear() {
        count = 0;
    }

    public int count() {
        return count;
    }

    public int index(int place) {
        return indexes[place];
    }

    /** The first place after {@code place} where the distance to the previous task changes. */
    int endOfStride(int place) {
        int stride = indexes[place] - indexes[place - 1];
        int end = place + 1;
        while (end < count && indexes[end] - indexes[end - 1] == stride) {
            end++;
        }
        return end;
    }

    public TaskState state() {
        return state;
    }

    public TaskReason reason() {
        return reason;
    }

    public int exitCode() {
        return exitCode;
    }

    public long startedAtMillis() {
        return startedAtMillis;
    }

    public long endedAtMillis() {
        return endedAtMillis;
    }
}
