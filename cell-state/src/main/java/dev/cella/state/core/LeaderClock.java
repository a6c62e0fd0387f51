package dev.cella.state.core;

import dev.cella.transactions.model.CellTime;

/**
 * The log's own clock, as a leader continues it: the last time in the log when it became leader, plus the time of its
 * monotonic clock since then. So cell time never goes back, and stands still while no replica leads.
 */
final class LeaderClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final CellTime last;
    private final long ledSinceNanos;
    private final Time time;

    LeaderClock(CellTime last, Time time) {
        this.last = last;
        this.ledSinceNanos = time.monotonicNanos();
        this.time = time;
    }

    CellTime now() {
        return last.plusMillis((time.monotonicNanos() - ledSinceNanos) / NANOS_PER_MILLI);
    }
}
