package dev.cella.transactions.model;

/** What counts as a conflict on a machine (dissertation 6.2.2, conflict detection). */
public enum ConflictRule {
    /** Refuse if another transaction claimed on that machine after the basis. */
    MACHINE,
    /** Refuse only if the claim no longer fits. */
    RESOURCE
}
