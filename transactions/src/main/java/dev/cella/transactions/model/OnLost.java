package dev.cella.transactions.model;

/** What happens to a task when its machine is lost. */
public enum OnLost {
    /** A new attempt may start elsewhere at once, because the machine's lease and the time to kill have passed. */
    REPLACE,
    /**
     * The task never runs twice at once: a new attempt waits until the machine has come back, was registered again, or was
     * removed.
     */
    WAIT
}
