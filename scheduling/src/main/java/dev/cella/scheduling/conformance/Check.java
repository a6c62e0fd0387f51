package dev.cella.scheduling.conformance;

/** One property that every scheduler must have, and its test. */
interface Check {
    /** The property, as a sentence about the scheduler. */
    String promise();

    /**
     * Tests it once.
     *
     * @throws AssertionError with seed, view and plan if the property does not hold
     */
    void on(Trial trial);
}
