package dev.cella.transactions.codec;

/** A newer program wrote this entry. The entry is fine, but this program cannot apply it and must stop. */
public final class UnknownLevelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownLevelException(String message) {
        super(message);
    }
}
