package dev.cella.bench.cell;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A light load at a fixed rate, and the longest time in which none of it was answered. The load is begun at its rate whatever
 * happens to the cell.
 *
 * <p>Answers arrive on the thread of the scheduler; any other thread asks for the pause.
 */
final class CommitWatch implements AutoCloseable {
    private final PlacingScheduler scheduler;
    private final CompletableFuture<Void> underWay = new CompletableFuture<>();
    private long answeredNanos;
    private long pauseNanosMax;

    CommitWatch(BenchedCell cell, int machines, int claims, int perSecond) {
        OfferedLoad load = OfferedLoad.open(1, claims, perSecond);
        this.scheduler = new PlacingScheduler(cell, load, "watched", machines, answered -> answered());
    }

    /** Starts the load, and returns when it has been answered for a while. */
    void start() throws InterruptedException {
        scheduler.start();
        scheduler.await(underWay);
        TimeUnit.SECONDS.sleep(2);
        begin();
    }

    private synchronized void answered() {
        long now = System.nanoTime();
        pauseNanosMax = Math.max(pauseNanosMax, now - answeredNanos);
        answeredNanos = now;
        underWay.complete(null);
    }

    /** Forgets the pauses until now. */
    synchronized void begin() {
        pauseNanosMax = 0;
        answeredNanos = System.nanoTime();
    }

    /** The longest pause since {@link #begin}, in milliseconds. A pause that has not ended yet counts. */
    synchronized double pauseMillis() {
        scheduler.check();
        return Math.max(pauseNanosMax, System.nanoTime() - answeredNanos) / 1e6;
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
