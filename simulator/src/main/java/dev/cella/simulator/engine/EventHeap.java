package dev.cella.simulator.engine;

import java.util.Arrays;
import java.util.Objects;

/**
 * Virtual time: the future events, in the order in which they happen. Events at the same time happen in the order in which
 * they were added, so one seed gives one history.
 *
 * <p>A binary heap in primitive arrays, because a week of a cell is some millions of events. Owned by the one thread that runs
 * the simulation.
 */
public final class EventHeap {
    /** Something that happens at its time. */
    public interface Event {
        void happen();
    }

    /** Fills empty places, so that past events can be collected. */
    private static final Event DONE = () -> {};

    private long[] times = new long[64];
    private long[] sequences = new long[64];
    private Event[] events = new Event[64];
    private int size;
    private long sequence;
    private long nowNanos;

    /** The time of the current event. */
    public long nowNanos() {
        return nowNanos;
    }

    /** Adds an event at that time, which must not be past. */
    public void at(long timeNanos, Event event) {
        if (timeNanos < nowNanos) {
            throw new IllegalArgumentException("an event at " + timeNanos + " ns, which is before " + nowNanos);
        }
        if (size == times.length) {
            grow();
        }
        size++;
        siftUp(size - 1, timeNanos, sequence++, event);
    }

    /** Runs all events up to the end, and leaves time there. */
    public void runUntil(long endNanos) {
        while (size > 0 && times[0] <= endNanos) {
            nowNanos = times[0];
            takeFirst().happen();
        }
        nowNanos = endNanos;
    }

    private Event takeFirst() {
        Event first = Objects.requireNonNull(events[0]);
        size--;
        siftDown(times[size], sequences[size], events[size]);
        events[size] = DONE;
        return first;
    }

    private void siftUp(int from, long time, long order, Event event) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isBefore(time, order, parent)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        put(at, time, order, event);
    }

    /** Finds the place for the last element, from the root down. */
    private void siftDown(long time, long order, Event event) {
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isBefore(times[child + 1], sequences[child + 1], child)) {
                child++;
            }
            if (isBefore(time, order, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        put(at, time, order, event);
    }

    private boolean isBefore(long time, long order, int other) {
        return time < times[other] || (time == times[other] && order < sequences[other]);
    }

    private void move(int from, int to) {
        put(to, times[from], sequences[from], events[from]);
    }

    private void put(int at, long time, long order, Event event) {
        times[at] = time;
        sequences[at] = order;
        events[at] = event;
    }

    private void grow() {
        int length = 2 * size;
        times = Arrays.copyOf(times, length);
        sequences = Arrays.copyOf(sequences, length);
        events = Arrays.copyOf(events, length);
    }
}
