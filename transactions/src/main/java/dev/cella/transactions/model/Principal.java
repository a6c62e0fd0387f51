package dev.cella.transactions.model;

/**
 * The name of the client that a command came from, as the door authenticated it. The log stores it with the command.
 */
public record Principal(String text) {
    public static final int LENGTH_MAX = 253;

    public Principal {
        if (text.isEmpty() || text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException("a principal has 1 to " + LENGTH_MAX + " characters: " + text);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
