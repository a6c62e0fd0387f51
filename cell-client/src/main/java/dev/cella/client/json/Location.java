package dev.cella.client.json;

/** A place in a text, both counted from 1; {@link #NOWHERE} for an input that has no lines. */
public record Location(int line, int column) {
    public static final Location NOWHERE = new Location(0, 0);
}
