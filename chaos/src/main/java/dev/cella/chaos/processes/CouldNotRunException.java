package dev.cella.chaos.processes;

/** This machine did not let the run be made: its processes were not ready in time, or something that it needs was refused. */
public final class CouldNotRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CouldNotRunException(String why) {
        super(why);
    }

    CouldNotRunException(RuntimeException refusal) {
        super(why(refusal), refusal);
    }

    private static String why(RuntimeException refusal) {
        Throwable cause = refusal.getCause();
        return refusal.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
    }
}
