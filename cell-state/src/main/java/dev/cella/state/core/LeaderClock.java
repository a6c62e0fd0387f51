package dev.cella.state.core;

import dev.cella.transactions.model.CellTime;

/**
 * The log's own clock as a leader goes on with it: the last stamp in the log when it became leader, plus what its
 * monotonic clock ran since. So cell time never goes back, and stands still while nobody leads.
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
