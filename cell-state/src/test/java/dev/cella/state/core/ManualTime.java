package dev.cella.state.core;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that advances only when a test says so. Due tasks run on the caller, in order. */
public final class ManualTime implements Time {
    private static final long STARTED_AT_MILLIS = 1_800_000_000_000L;

    private record Due(long atNanos, long order, Runnable task) {}

    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::atNanos).thenComparingLong(Due::order));
    private long nowNanos;
    private long orders;

    @Override
    public synchronized long monotonicNanos() {
        return nowNanos;
    }

    @Override
    public synchronized long wallMillis() {
        return STARTED_AT_MILLIS + nowNanos / 1_000_000;
    }

    @Override
    public synchronized Cancellation after(Duration delay, Runnable task) {
        Due one = new Due(nowNanos + delay.toNanos(), orders++, task);
        due.add(one);
        return () -> cancel(one);
    }

    private synchronized void cancel(Due one) {
        due.remove(one);
    }

    /** How many tasks are due at some time. */
    public synchronized int waiting() {
        return due.size();
    }

    public void advance(Duration by) {
        long until = monotonicNanos() + by.toNanos();
        for (Due next = pollUntil(until); next != null; next = pollUntil(until)) {
            next.task.run();
        }
        setTo(until);
    }

    /** Passes like {@link #advance}, but what is due meanwhile only runs with the next one: this process stands still. */
    public void standStill(Duration by) {
        setTo(monotonicNanos() + by.toNanos());
    }

    private synchronized Due pollUntil(long until) {
        if (due.isEmpty() || due.peek().atNanos > until) {
            return null;
        }
        Due next = due.poll();
        nowNanos = Math.max(nowNanos, next.atNanos);
        return next;
    }

    private synchronized void setTo(long nanos) {
        nowNanos = nanos;
    }
}
