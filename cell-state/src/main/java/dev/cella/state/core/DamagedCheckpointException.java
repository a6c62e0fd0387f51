package dev.cella.state.core;

/** A checkpoint is not what it says it is: torn, changed, or of another format. Another one may be whole. */
public final class DamagedCheckpointException extends Exception {
    private static final long serialVersionUID = 1L;

    public DamagedCheckpointException(String what) {
        super(what);
    }

    public DamagedCheckpointException(String what, Throwable cause) {
        super(what, cause);
    }
}
