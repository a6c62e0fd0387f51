package dev.cella.state.core;

/**
 * A cold row cannot be read now: the store is closed, or another replica's checkpoint takes its place. That says nothing about
 * the row. The same question has an answer a moment later, or at another replica.
 */
public final class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }
}
