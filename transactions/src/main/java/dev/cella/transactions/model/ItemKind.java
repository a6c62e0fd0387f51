package dev.cella.transactions.model;

/** The items of a transaction, in the order in which its outcome names them. */
public enum ItemKind {
    CLAIM,
    EVICTION,
    HOLD,
    STEP,
    SCALE
}
