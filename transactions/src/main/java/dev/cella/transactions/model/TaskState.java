package dev.cella.transactions.model;

import java.util.Arrays;

/**
 * The life cycle of one attempt: PENDING, PLACED, RUNNING, then an end; STOPPING comes before the end if somebody stopped it.
 *
 * <p>The legal steps are data ({@link #mayBecome}): an illegal step is refused. A claim makes PENDING PLACED. The cell itself
 * makes PLACED or RUNNING STOPPING. The executor of the task may report the other steps.
 */
public enum TaskState {
    PENDING(0),
    PLACED(1),
    RUNNING(2),
    STOPPING(3),
    FINISHED(4),
    FAILED(5),
    KILLED(6),
    PREEMPTED(7),
    LOST(8);

    /** By the number of each state: the states that may follow it, one bit each. */
    private static final int[] STEPS = steps();

    private final int code;

    TaskState(int code) {
        this.code = code;
    }

    /** Its number in bytes and digests. The numbers never change. */
    public int code() {
        return code;
    }

    private static int[] steps() {
        int[] steps = new int[values().length];
        steps[PENDING.code] = bits(PLACED, KILLED);
        steps[PLACED.code] = bits(RUNNING, STOPPING, FAILED, LOST);
        steps[RUNNING.code] = bits(STOPPING, FINISHED, FAILED, LOST);
        steps[STOPPING.code] = bits(KILLED, PREEMPTED, FINISHED, FAILED, LOST);
        return steps;
    }

    private static int bits(TaskState... states) {
        return Arrays.stream(states).mapToInt(state -> 1 << state.code).reduce(0, (one, other) -> one | other);
    }

    /** Returns whether one attempt may go from this state to {@code next} in one step. */
    public boolean mayBecome(TaskState next) {
        return (STEPS[code] >>> next.code & 1) != 0;
    }

    /** Returns whether the attempt is on a machine and holds its amounts. */
    public boolean isOnMachine() {
        return this == PLACED || this == RUNNING || this == STOPPING;
    }

    /** Returns whether the attempt is over, so that only a new attempt can follow. */
    public boolean isEnded() {
        return STEPS[code] == 0;
    }
}
