package dev.cella.transactions.model;

/** What became of a transaction as a whole. */
public enum Verdict {
    /** Everything it asked. */
    COMMITTED,
    /** Some of it. */
    PARTIAL,
    /** Nothing of it. */
    REJECTED
}
