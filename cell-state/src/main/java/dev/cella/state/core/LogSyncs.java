package dev.cella.state.core;

/**
 * The time that flushing the log to disk takes on this replica.
 *
 * @param count the number of flushes since the start
 * @param p50Seconds the median of the last minutes
 */
public record LogSyncs(long count, double p50Seconds, double p99Seconds) {
    /** For a log without a disk, or before the start. */
    public static final LogSyncs NONE = new LogSyncs(0, 0, 0);
}
