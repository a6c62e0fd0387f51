package dev.cella.state.core;

/**
 * What bringing the log to the disk has taken on this replica.
 *
 * @param count how often since the start
 * @param p50Seconds the median of the last minutes
 */
public record LogSyncs(long count, double p50Seconds, double p99Seconds) {
    /** Of a log that has no disk, or is not started. */
    public static final LogSyncs NONE = new LogSyncs(0, 0, 0);
}
