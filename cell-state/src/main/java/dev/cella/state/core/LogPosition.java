package dev.cella.state.core;

/** The place of an entry in the replicated log. Indexes begin with 0. */
public record LogPosition(long term, long index) {
    /** Before the first entry. */
    public static final LogPosition START = new LogPosition(0, -1);

    public boolean isAtStart() {
        return index < 0;
    }
}
