package dev.cella.scheduling.conformance;

/** One thing that every scheduler must keep, and how it is seen. */
interface Check {
    /** What is kept, as a sentence about the scheduler. */
    String promise();

    /**
     * Looks at it once.
     *
     * @throws AssertionError with seed, view and plan if it is not kept
     */
    void on(Trial trial);
}
