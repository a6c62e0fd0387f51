package dev.cella.simulator.engine;

/** Hears how far a run is. */
public interface RunProgress {
    /** Nobody wants to know. */
    RunProgress UNHEARD = fraction -> {};

    /** So much of the virtual time is over; said on the thread that runs the simulation. */
    void reached(double fraction);

    /** Tells it a hundred times a run. */
    default void follow(EventHeap heap, long endNanos) {
        long step = Math.max(1, endNanos / 100);
        tellAt(step, step, heap, endNanos);
    }

    private void tellAt(long timeNanos, long step, EventHeap heap, long endNanos) {
        if (timeNanos <= endNanos) {
            heap.at(timeNanos, () -> {
                reached((double) timeNanos / endNanos);
                tellAt(timeNanos + step, step, heap, endNanos);
            });
        }
    }
}
