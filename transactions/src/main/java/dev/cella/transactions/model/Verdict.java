package dev.cella.transactions.model;

/** The result of a transaction as a whole. */
public enum Verdict {
    /** All items were accepted. */
    COMMITTED,
    /** Some items were accepted. */
    PARTIAL,
    /** No item was accepted. */
    REJECTED
}
