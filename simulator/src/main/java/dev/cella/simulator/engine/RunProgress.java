package dev.cella.simulator.engine;

/** Receives the progress of a run. */
public interface RunProgress {
    /** Ignores the progress. */
    RunProgress UNHEARD = fraction -> {};

    /** This fraction of the virtual time has passed. Called on the thread that runs the simulation. */
    void reached(double fraction);

    /** Reports the progress a hundred times per run. */
    default void follow(EventHeap heap, long endNanos) {
        heap.tellEach(Math.max(1, endNanos / 100), timeNanos -> reached((double) timeNanos / endNanos));
    }
}
