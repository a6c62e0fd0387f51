package dev.cella.chaos.simulated;

import dev.cella.transactions.model.Digests;
import java.util.PriorityQueue;

/** Virtual time: the due events, in order of time, and for equal times in order of arrival. */
final class DueEvents {
    static final long MILLI = 1_000_000;

    private record Due(long atNanos, long order, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return atNanos == other.atNanos ? Long.compare(order, other.order) : Long.compare(atNanos, other.atNanos);
        }
    }

    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private long nowNanos;
    private long orders;
    private long events;
    private long digest;

    long nowNanos() {
        return nowNanos;
    }

    long nowMillis() {
        return nowNanos / MILLI;
    }

    /** How many events have happened. */
    long events() {
        return events;
    }

    /** Equal for two runs in which the same number of events happened at the same times. */
    long digest() {
        return digest;
    }

    void after(long delayNanos, Runnable task) {
        due.add(new Due(nowNanos + Math.max(0, delayNanos), orders++, task));
    }

    /** Runs all events up to that time. */
    void runUntil(long nanos) {
        for (Due next = due.peek(); next != null && next.atNanos <= nanos; next = due.peek()) {
            due.remove();
            nowNanos = next.atNanos;
            events++;
            digest = Digests.mix(digest, nowNanos);
            next.task.run();
        }
        nowNanos = nanos;
    }
}
