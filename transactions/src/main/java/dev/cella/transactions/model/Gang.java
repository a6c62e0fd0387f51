package dev.cella.transactions.model;

/**
 * Tasks of a group that start together: none of them runs before {@code min} are placed. A scheduler that cannot place them
 * for {@code holdAfterMillis} asks for a hold.
 */
public record Gang(int min, long holdAfterMillis, Restarts restarts) {
    /** Which tasks get a new attempt when one task of the gang fails or is lost. */
    public enum Restarts {
        ALL,
        ONE
    }

    public Gang {
        if (min < 1) {
            throw new IllegalArgumentException("a gang has at least 1 task, not " + min);
        }
        if (holdAfterMillis < 0) {
            throw new IllegalArgumentException("a gang asks for a hold after 0 ms or more, not " + holdAfterMillis);
        }
    }
}
