package dev.cella.transactions.model;

/**
 * How a machine is emptied: it takes no claims, and schedulers may move its tasks. Tasks that are still there at the deadline,
 * in cell time, are told to stop.
 */
public record Drain(CellTime deadline, BatchTasks batch) {
    /** What the deadline does to tasks that end by themselves. */
    public enum BatchTasks {
        FINISH,
        MOVE
    }

    /** Returns whether tasks of jobs of that type are told to stop at the deadline. */
    public boolean moves(JobType type) {
        return type == JobType.SERVICE || batch == BatchTasks.MOVE;
    }
}
