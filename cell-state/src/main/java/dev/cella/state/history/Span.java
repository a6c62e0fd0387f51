package dev.cella.state.history;

/**
 * A stretch of the past, by time and by version, both ends included. An element must be within both.
 *
 * @param fromMillis by the wall clock of the leader
 */
public record Span(long fromMillis, long toMillis, long fromVersion, long toVersion) {
    public static final Span EVER = new Span(Long.MIN_VALUE, Long.MAX_VALUE, 0, Long.MAX_VALUE);

    /** From then on. */
    public static Span since(long wallMillis) {
        return new Span(wallMillis, Long.MAX_VALUE, 0, Long.MAX_VALUE);
    }

    public boolean has(long version, long millis) {
        return version >= fromVersion && version <= toVersion && millis >= fromMillis && millis <= toMillis;
    }

    /** Returns whether anything between these bounds can be in it. */
    public boolean touches(long firstVersion, long lastVersion, long firstMillis, long lastMillis) {
        return lastVersion >= fromVersion
                && firstVersion <= toVersion
                && lastMillis >= fromMillis
                && firstMillis <= toMillis;
    }

    public boolean touches(RowRing.Segment segment) {
        return touches(segment.firstVersion(), segment.lastVersion(), segment.firstMillis(), segment.lastMillis());
    }
}
