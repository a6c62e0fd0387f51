package dev.cella.chaos.simulated;

import dev.cella.transactions.model.Digests;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: the due events, in order of time, and for equal times in order of arrival.
 *
 * <p>The events of the present window of 17 ms are in a binary heap of three arrays: comparing two of them reads only two
 * numbers of each. Later events wait unsorted, by window. Most of those are time-outs of calls that were answered: thousands
 * of them wait at a time, and the events that come soon do not have to pass them.
 */
final class DueEvents {
    static final long MILLI = 1_000_000;

    private static final int WINDOW_BITS = 24;

    private final Events soon = new Events();
    /** The later windows, by their numbers. */
    private final TreeMap<Long, Events> later = new TreeMap<>();

    private long window;
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
        long time = nowNanos + Math.max(0, delayNanos);
        long due = time >> WINDOW_BITS;
        if (due <= window) {
            soon.add(time, arrived++, task);
        } else {
            later.computeIfAbsent(due, number -> new Events()).append(time, arrived++, task);
        }
    }

    /** Runs all events up to that time. */
    void runUntil(long nanos) {
        while (isDue(nanos)) {
            nowNanos = soon.times[0];
            events++;
            digest = Digests.mix(digest, nowNanos);
            soon.removeFirst().run();
        }
        nowNanos = nanos;
    }

    /** Begins later windows until one has an event, up to that time. */
    private boolean isDue(long nanos) {
        long last = nanos >> WINDOW_BITS;
        while (soon.size == 0 && !later.isEmpty() && later.firstKey() <= last) {
            Map.Entry<Long, Events> next = later.pollFirstEntry();
            window = next.getKey();
            soon.addAll(next.getValue());
        }
        return soon.size > 0 && soon.times[0] <= nanos;
    }

    /** Events in three arrays: a heap in which no event comes before its parent, which is at half its place, or unsorted. */
    private static final class Events {
        private long[] times = new long[16];
        private long[] arrivals = new long[16];
        private @Nullable Runnable[] tasks = new Runnable[16];
        private int size;

        void append(long time, long arrival, Runnable task) {
            grow();
            put(size++, time, arrival, task);
        }

        void addAll(Events others) {
            for (int place = 0; place < others.size; place++) {
                add(others.times[place], others.arrivals[place], Objects.requireNonNull(others.tasks[place]));
            }
        }

        void add(long time, long arrival, Runnable task) {
            grow();
            int place = size++;
            while (place > 0 && isBefore(time, arrival, (place - 1) / 2)) {
                move((place - 1) / 2, place);
                place = (place - 1) / 2;
            }
            put(place, time, arrival, task);
        }

        private void grow() {
            if (size == tasks.length) {
                times = Arrays.copyOf(times, 2 * size);
                arrivals = Arrays.copyOf(arrivals, 2 * size);
                tasks = Arrays.copyOf(tasks, 2 * size);
            }
        }

        Runnable removeFirst() {
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
}
