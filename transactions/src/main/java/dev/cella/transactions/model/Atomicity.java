package dev.cella.transactions.model;

/** Says whether the claims of a transaction stand alone or together (dissertation 6.2.2, transaction granularity). */
public enum Atomicity {
    /** Each claim is accepted or refused independently. */
    INCREMENTAL,
    /** One refused claim refuses all. */
    ALL_OR_NOTHING
}
