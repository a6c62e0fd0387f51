package dev.cella.transactions.model;

/** What a job is doing, derived by the cell from the states of its tasks. */
public enum JobState {
    PENDING(0),
    RUNNING(1),
    FINISHED(2),
    FAILED(3),
    STOPPING(4),
    STOPPED(5);

    private final int code;

    JobState(int code) {
        this.code = code;
    }

    /** Its number in bytes, given for ever. */
    public int code() {
        return code;
    }

    public boolean isEnded() {
        return this == FINISHED || this == FAILED || this == STOPPED;
    }
}
