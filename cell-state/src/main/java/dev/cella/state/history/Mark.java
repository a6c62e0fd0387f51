package dev.cella.state.history;

/**
 * An event of the cell that is not about a task: a machine that came, went, or is draining, a scheduler, a leader.
 *
 * @param name of the machine, of the scheduler's session, or of the replica
 */
public record Mark(long atMillis, long version, Kind kind, String name) {
    /** The kind of event. */
    public enum Kind {
        MACHINE_REGISTERED,
        MACHINE_DRAINING,
        MACHINE_READY,
        MACHINE_DOWN,
        MACHINE_REMOVED,
        SCHEDULER_CAME,
        SCHEDULER_LEFT,
        SCHEDULER_PAUSED,
        SCHEDULER_RESUMED,
        LEADER
    }
}
