package dev.cella.bench.report;

/** A file is no kept run; the message says which, and why. */
public final class UnreadableRunException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableRunException(String message) {
        super(message);
    }
}
