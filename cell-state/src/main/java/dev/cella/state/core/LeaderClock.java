package dev.cella.state.core;

import dev.cella.transactions.model.CellTime;

/**
 * The log's own clock, as a leader continues it: the time of the newest entry, plus the time of its monotonic clock since it
 * applied that entry. So cell time never goes back, and goes on while no replica leads. It stands still while the replica that
 * leads next is down or has not applied that entry.
 */
final class LeaderClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final CellTime last;
    private final long appliedNanos;
    private final Time time;

    /** @param appliedNanos when this replica applied the entry of the time {@code last}, or later */
    LeaderClock(CellTime last, long appliedNanos, Time time) {
        this.last = last;
        this.appliedNanos = appliedNanos;
        this.time = time;
    }

    CellTime now() {
        return last.plusMillis((time.monotonicNanos() - appliedNanos) / NANOS_PER_MILLI);
    }
}
