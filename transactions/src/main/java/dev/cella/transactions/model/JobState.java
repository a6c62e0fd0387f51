package dev.cella.transactions.model;

/** The state of a job, which the cell derives from the states of its tasks. */
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

    /** Its number in bytes. The numbers never change. */
    public int code() {
        return code;
    }

    public boolean isEnded() {
        return this == FINISHED || this == FAILED || this == STOPPED;
    }
}
