package dev.cella.transactions.model;

/** What follows when the machine that a task is on is lost. */
public enum OnLost {
    /** A new attempt may be made elsewhere at once: the machine's lease and the time to kill are over. */
    REPLACE,
    /** Never twice at once: a new attempt waits until the machine has come back, or was registered anew or removed. */
    WAIT
}
