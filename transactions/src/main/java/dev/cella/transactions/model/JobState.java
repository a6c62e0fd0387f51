package dev.cella.transactions.model;

/** What a job is doing, derived by the cell from the states of its tasks. */
public enum JobState {
    PENDING,
    RUNNING,
    FINISHED,
    FAILED,
    STOPPING,
    STOPPED;

    public boolean isEnded() {
        return this == FINISHED || this == FAILED || this == STOPPED;
    }
}
