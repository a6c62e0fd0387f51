package dev.cella.transactions.model;

/** A batch job ends; a service is kept at its number of tasks. */
public enum JobType {
    BATCH,
    SERVICE
}
