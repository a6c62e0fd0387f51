package dev.cella.simulator.engine;

/** What becomes of a job that was not placed whole. */
public enum RetryOrder {
    /** It is tried again after the others that wait, at once (6.2.1, step 6). */
    BEHIND_OTHERS,
    /** It keeps its place and waits until something it could use is free, as in the live system. */
    KEEPS_PLACE
}
