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
    private static final int WINDOW = 256;
    /** In transactions: two that are under way together may be executed in any order. */
    private static final long AGE_MIN = 2L * WINDOW;

    private static final int DIGITS = 3;

    private final Peer peer;
    private final String name;
    private final int claims;
    private final Semaphore window = new Semaphore(WINDOW);
    private final AtomicLong placed = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Histogram latency = new ConcurrentHistogram(DIGITS);
    private volatile boolean measuring;
    private long commands;
    private long nextTask;
    private long released;

    PeerLoad(Peer peer, String name, int claims) {
        this.peer = peer;
        this.name = name;
        this.claims = claims;
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
        window.acquire(WINDOW);
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
        boolean releases = commands % 3 == 2 && released + AGE_MIN * claims < nextTask;
        commands++;
        List<String> tasks = releases ? tasks(released, 2 * claims) : tasks(nextTask, claims);
        released += releases ? 2L * claims : 0;
        nextTask += releases ? 0 : claims;
        var unused = (releases ? peer.release(tasks) : peer.place(tasks)).whenComplete((done, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
            } else if (measuring && !releases && done) {
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
