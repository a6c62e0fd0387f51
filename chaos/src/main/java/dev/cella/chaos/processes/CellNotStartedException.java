package dev.cella.chaos.processes;

/** The processes of a run ended or were not ready in time, before anything was tried with them. */
public final class CellNotStartedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CellNotStartedException(String why) {
        super(why);
    }
}
