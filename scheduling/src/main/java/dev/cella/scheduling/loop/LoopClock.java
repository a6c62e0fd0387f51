package dev.cella.scheduling.loop;

import dev.cella.transactions.model.CellTime;

/** The time of the event that a loop is handling. It never goes back. Owned by {@link SchedulerLoop}. */
final class LoopClock {
    private final CellTime began;
    private CellTime now;

    LoopClock(CellTime began) {
        this.began = began;
        this.now = began;
    }

    /** Advances to this time. Returns by how much. */
    long advance(CellTime time) {
        long millis = Math.max(0, time.millis() - now.millis());
        now = now.plusMillis(millis);
        return millis;
    }

    CellTime now() {
        return now;
    }

    long elapsedMillis() {
        return now.millis() - began.millis();
    }

    boolean isInFuture(CellTime time) {
        return time.compareTo(now) > 0;
    }
}
