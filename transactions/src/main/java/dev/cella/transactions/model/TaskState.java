package dev.cella.transactions.model;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The life of one attempt: PENDING, PLACED, RUNNING, then an end; STOPPING on the way when somebody asked for it.
 *
 * <p>The legal steps are data ({@link #mayBecome}): an illegal one is refused. PENDING to PLACED is a claim's; PLACED or
 * RUNNING to STOPPING is the cell's own; the others are what the one who runs the task may report.
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

    private static final Map<TaskState, Set<TaskState>> STEPS = steps();

    private final int code;

    TaskState(int code) {
        this.code = code;
    }

    /** Its number in bytes and digests, given for ever. */
    public int code() {
        return code;
    }

    private static Map<TaskState, Set<TaskState>> steps() {
        Map<TaskState, Set<TaskState>> steps = new EnumMap<>(TaskState.class);
        for (TaskState state : values()) {
            steps.put(state, EnumSet.noneOf(TaskState.class));
        }
        steps.put(PENDING, EnumSet.of(PLACED, KILLED));
        steps.put(PLACED, EnumSet.of(RUNNING, STOPPING, FAILED, LOST));
        steps.put(RUNNING, EnumSet.of(STOPPING, FINISHED, FAILED, LOST));
        steps.put(STOPPING, EnumSet.of(KILLED, PREEMPTED, FINISHED, FAILED, LOST));
        return steps;
    }

    /** Whether one attempt may go from this state to {@code next} in one step. */
    public boolean mayBecome(TaskState next) {
        return STEPS.getOrDefault(this, Set.of()).contains(next);
    }

    /** On a machine and holding its amounts. */
    public boolean isOnMachine() {
        return this == PLACED || this == RUNNING || this == STOPPING;
    }

    /** The attempt is over; only a new attempt can follow. */
    public boolean isEnded() {
        return STEPS.getOrDefault(this, Set.of()).isEmpty();
    }
}
