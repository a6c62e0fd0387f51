package dev.cella.bench.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Transactions as fast as possible, with a fixed number under way. Every third releases what two have placed, after those were
 * answered.
 */
final class PeerLoad {
    private static final int DIGITS = 3;

    private final Peer peer;
    private final String name;
    private final int claims;
    private final int underWay;
    private final Semaphore window;
    private final AtomicLong placed = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Histogram latency = new ConcurrentHistogram(DIGITS);
    private volatile boolean measuring;
    private long commands;
    private long nextTask;
    private long released;

    /** @param underWay how many transactions wait for their answers at once */
    PeerLoad(Peer peer, String name, int claims, int underWay) {
        this.peer = peer;
        this.name = name;
        this.claims = claims;
        this.underWay = underWay;
        this.window = new Semaphore(underWay);
    }

    /** First a warm-up, then the measurement. */
    PeerFigures run(Duration warm, Duration measured) throws InterruptedException {
        submitFor(warm);
        long begin = System.nanoTime();
        Duration cpuBefore = peer.cpu();
        measuring = true;
        submitFor(measured);
        measuring = false;
        double seconds = (System.nanoTime() - begin) / 1e9;
        Duration cpu = peer.cpu().minus(cpuBefore);
        window.acquire(underWay);
        checkNoneFailed();
        return new PeerFigures(
                placed.get() / seconds,
                latency.getValueAtPercentile(50) / 1e6,
                latency.getValueAtPercentile(99) / 1e6,
                placed.get() == 0 ? 0 : cpu.toNanos() / 1e3 / placed.get());
    }

    private void submitFor(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            if (window.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                submitNext();
            }
            checkNoneFailed();
        }
    }

    private void submitNext() {
        long begun = System.nanoTime();
        // Two that are under way together may be executed in any order.
        boolean releases = commands % 3 == 2 && released + 2L * underWay * claims < nextTask;
        commands++;
        List<String> tasks = releases ? tasks(released, 2 * claims) : tasks(nextTask, claims);
        released += releases ? 2L * claims : 0;
        nextTask += releases ? 0 : claims;
        var unused = (releases ? peer.release(tasks) : peer.place(tasks)).whenComplete((done, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
            } else if (!done) {
                failure.compareAndSet(null, new IllegalStateException("it refused a transaction"));
            } else if (measuring && !releases) {
                placed.addAndGet(claims);
                latency.recordValue(System.nanoTime() - begun);
            }
            window.release();
        });
    }

    private List<String> tasks(long from, int count) {
        List<String> tasks = new ArrayList<>(count);
        for (long task = from; task < from + count; task++) {
            tasks.add(name + task);
        }
        return tasks;
    }

    private void checkNoneFailed() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the peer has failed", failed);
        }
    }
}
