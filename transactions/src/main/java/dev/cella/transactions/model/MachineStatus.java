package dev.cella.transactions.model;

/** Says whether a machine takes claims. */
public enum MachineStatus {
    READY,
    /** Takes no claims, and tasks are still on it. */
    DRAINING,
    /** Takes no claims, and nothing is on it. */
    DRAINED,
    /** Its agent did not renew its lease, so its tasks are LOST. */
    DOWN
}
