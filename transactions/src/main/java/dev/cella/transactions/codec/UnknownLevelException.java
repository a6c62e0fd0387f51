package dev.cella.transactions.codec;

/** An entry that a newer program wrote: nothing is wrong with it, but this one must leave it alone and leave. */
public final class UnknownLevelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownLevelException(String message) {
        super(message);
    }
}
