package dev.cella.scheduling.live;

import dev.cella.transactions.model.CellTime;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The present cell time, as well as it can be known away from the log: the last time from the feed, plus what the monotonic
 * clock ran since. It never goes back. Owned by one thread.
 */
final class CellClock {
    private final LongSupplier nanoTime;
    private CellTime said = CellTime.ZERO;
    private long saidNanos;

    CellClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.saidNanos = nanoTime.getAsLong();
    }

    /** The feed has shown this time. */
    void see(CellTime time) {
        CellTime now = now();
        if (time.compareTo(now) > 0) {
            said = time;
            saidNanos = nanoTime.getAsLong();
        }
    }

    CellTime now() {
        return said.plusMillis(TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - saidNanos));
    }
}
