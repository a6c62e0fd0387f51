package dev.cella.scheduling.loop;

/** The place of a job after an attempt that did not place all of it. */
public enum RetryOrder {
    /**
     * It keeps its place among those of its priority, so a later job cannot overtake it. It sleeps until something that it
     * waits for happens, and rests after an attempt without any result.
     */
    KEEPS_PLACE,
    /**
     * It goes behind all others of its priority and is retried as soon as they had their turn, for conflicted and unplaced
     * tasks alike: "insert job back into job queue to be handled again in a future transaction" (dissertation 6.2.1, step 6).
     */
    BEHIND_OTHERS
}
