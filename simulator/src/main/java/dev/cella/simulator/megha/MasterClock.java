package dev.cella.simulator.megha;

import dev.cella.simulator.engine.EventHeap;

/** A master works on one message after another, in the order in which they come. */
final class MasterClock {
    private final EventHeap heap;
    private long busyUntilNanos;

    MasterClock(EventHeap heap) {
        this.heap = heap;
    }

    /** Works on a message for so long, after those before it, and then does this. Returns when the work begins. */
    long work(long nanos, EventHeap.Event then) {
        long begins = Math.max(heap.nowNanos(), busyUntilNanos);
        busyUntilNanos = begins + nanos;
        heap.at(busyUntilNanos, then);
        return begins;
    }
}
