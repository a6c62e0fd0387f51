package dev.cella.scheduling.loop;

/** What becomes of a job that an attempt did not place whole. */
public enum RetryOrder {
    /**
     * It keeps its place among those of its priority, so what came later cannot overtake it. It sleeps until something it
     * waits for happens, and rests after an attempt of which nothing came.
     */
    KEEPS_PLACE,
    /**
     * It goes behind all others of its priority and is tried again as soon as they were, conflicted and unplaced tasks
     * alike: "insert job back into job queue to be handled again in a future transaction" (dissertation 6.2.1, step 6).
     */
    BEHIND_OTHERS
}
