package dev.cella.chaos.simulated;

import dev.cella.transactions.model.Digests;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: the due events, in order of time, and for equal times in order of arrival.
 *
 * <p>A binary heap in three arrays. Most of the thousands of events that wait are time-outs of calls that were answered, and
 * comparing two events reads only two numbers of each.
 */
final class DueEvents {
    static final long MILLI = 1_000_000;

    private long[] times = new long[1_024];
    private long[] arrivals = new long[1_024];
    private @Nullable Runnable[] tasks = new Runnable[1_024];
    private int size;
    private long nowNanos;
    private long arrived;
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
        if (size == tasks.length) {
            times = Arrays.copyOf(times, 2 * size);
            arrivals = Arrays.copyOf(arrivals, 2 * size);
            tasks = Arrays.copyOf(tasks, 2 * size);
        }
        add(nowNanos + Math.max(0, delayNanos), arrived++, task);
    }

    /** Runs all events up to that time. */
    void runUntil(long nanos) {
        while (size > 0 && times[0] <= nanos) {
            nowNanos = times[0];
            events++;
            digest = Digests.mix(digest, nowNanos);
            removeFirst().run();
        }
        nowNanos = nanos;
    }

    // ---- the heap: no event comes before its parent, which is at half its place

    private void add(long time, long arrival, Runnable task) {
        int place = size++;
        while (place > 0 && isBefore(time, arrival, (place - 1) / 2)) {
            move((place - 1) / 2, place);
            place = (place - 1) / 2;
        }
        put(place, time, arrival, task);
    }

    private Runnable removeFirst() {
        Runnable first = Objects.requireNonNull(tasks[0]);
        size--;
        long time = times[size];
        long arrival = arrivals[size];
        Runnable last = Objects.requireNonNull(tasks[size]);
        int place = 0;
        for (int child = earlierChild(0);
                child < size && !isBefore(time, arrival, child);
                child = earlierChild(place)) {
            move(child, place);
            place = child;
        }
        put(place, time, arrival, last);
        tasks[size] = null;
        return first;
    }

    /** At or beyond the size if there is none. */
    private int earlierChild(int place) {
        int left = 2 * place + 1;
        int right = left + 1;
        return right < size && isBefore(times[right], arrivals[right], left) ? right : left;
    }

    private boolean isBefore(long time, long arrival, int place) {
        return time == times[place] ? arrival < arrivals[place] : time < times[place];
    }

    private void move(int from, int to) {
        put(to, times[from], arrivals[from], tasks[from]);
    }

    private void put(int place, long time, long arrival, @Nullable Runnable task) {
        times[place] = time;
        arrivals[place] = arrival;
        tasks[place] = task;
    }
}
