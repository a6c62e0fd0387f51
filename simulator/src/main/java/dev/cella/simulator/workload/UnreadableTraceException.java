package dev.cella.simulator.workload;

/** A trace cannot be read from this position on. */
public final class UnreadableTraceException extends Exception {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    /** Line and column are counted from 1. */
    public UnreadableTraceException(int line, int column, String fault) {
        super("line " + line + ", column " + column + ": " + fault);
        this.line = line;
        this.column = column;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }
}
