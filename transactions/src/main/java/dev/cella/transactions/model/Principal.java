package dev.cella.transactions.model;

/** Who asked for a command, as the door established it; written into the log with the command. */
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
