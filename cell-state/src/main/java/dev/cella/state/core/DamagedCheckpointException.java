package dev.cella.state.core;

/**
 * A checkpoint does not match its head: it is torn, changed, or of another format. Another checkpoint may be whole.
 */
public final class DamagedCheckpointException extends Exception {
    private static final long serialVersionUID = 1L;

    public DamagedCheckpointException(String what) {
        super(what);
    }

    public DamagedCheckpointException(String what, Throwable cause) {
        super(what, cause);
    }
}
