package dev.cella.state.ratis;

import dev.cella.state.core.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/** Time that a test advances. Timers run only when it says so, one at a time. */
final class IdleTime implements Time {
    private final Queue<Runnable> timers = new ArrayDeque<>();
    private long nowNanos;
    private Duration lastDelay = Duration.ZERO;

    void advance(Duration by) {
        nowNanos += by.toNanos();
    }

    /** Runs the oldest timer that has not run. Returns false if there is none. */
    boolean fire() {
        Runnable next = timers.poll();
        if (next != null) {
            next.run();
        }
        return next != null;
    }

    /** The delay of the timer that was asked for last. */
    Duration lastDelay() {
        return lastDelay;
    }

    @Override
    public long monotonicNanos() {
        return nowNanos;
    }

    @Override
    public long wallMillis() {
        return 0;
    }

    @Override
    public Cancellation after(Duration delay, Runnable task) {
        lastDelay = delay;
        timers.add(task);
        return () -> timers.remove(task);
    }
}
