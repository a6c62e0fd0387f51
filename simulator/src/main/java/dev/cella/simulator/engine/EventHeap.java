package dev.cella.simulator.engine;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * Virtual time: the future events, in the order in which they happen. Events at the same time happen in a defined order, that
 * in which they were added or another one ({@link Ties}), so one seed gives one history.
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

    /** Which of the events at one time happens next. */
    public enum Ties {
        /** The one that was added first. */
        FIRST_ADDED,
        /**
         * The one that a binary heap has on top if each event counts as smaller than every other one at its time: often, not
         * always, the one that was added last. Python's {@code heapq} with such events does so, and with it a simulator whose
         * recorded results depend on this order.
         */
        BY_HEAP
    }

    private final Ties ties;
    private long[] times = new long[64];
    private long[] sequences = new long[64];
    private Event[] events = new Event[64];
    private int size;
    private long sequence;
    private long nowNanos;
    private long stepNanos = Long.MAX_VALUE;
    private long nextStepNanos = Long.MAX_VALUE;
    private LongConsumer told = timeNanos -> {};

    public EventHeap() {
        this(Ties.FIRST_ADDED);
    }

    public EventHeap(Ties ties) {
        this.ties = ties;
    }

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

    /** Tells how far time is after each step from 0 on. That is no event: it changes nothing in the order of the others. */
    void tellEach(long step, LongConsumer listener) {
        stepNanos = step;
        nextStepNanos = step;
        told = listener;
    }

    /** Runs all events up to the end, and leaves time there. */
    public void runUntil(long endNanos) {
        while (size > 0 && times[0] <= endNanos) {
            tellUntil(times[0] - 1);
            nowNanos = times[0];
            takeFirst().happen();
        }
        tellUntil(endNanos);
        nowNanos = endNanos;
    }

    private void tellUntil(long timeNanos) {
        while (nextStepNanos <= timeNanos) {
            told.accept(nextStepNanos);
            nextStepNanos += stepNanos;
        }
    }

    private Event takeFirst() {
        Event first = Objects.requireNonNull(events[0]);
        size--;
        switch (ties) {
            case FIRST_ADDED -> siftDown(times[size], sequences[size], events[size]);
            case BY_HEAP -> siftToLeafAndUp(times[size], sequences[size], events[size]);
        }
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

    /** Empties the root's place down to a leaf, always by the smaller child, and lets the last element rise from there. */
    private void siftToLeafAndUp(long time, long order, Event event) {
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && times[child] > times[child + 1]) {
                child++;
            }
            move(child, at);
            at = child;
        }
        siftUp(at, time, order, event);
    }

    private boolean isBefore(long time, long order, int other) {
        boolean isBeforeEqual = ties == Ties.BY_HEAP || order < sequences[other];
        return time < times[other] || (time == times[other] && isBeforeEqual);
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
