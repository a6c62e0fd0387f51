package dev.cella.simulator.engine;

/** Receives the progress of a run. */
public interface RunProgress {
    /** Ignores the progress. */
    RunProgress UNHEARD = fraction -> {};

    /** This fraction of the virtual time has passed. Called on the thread that runs the simulation. */
    void reached(double fraction);

    /** Reports the progress a hundred times per run. */
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
