package dev.cella.transactions.model;

/** A batch job ends; a service is kept at its count. */
public enum JobType {
    BATCH,
    SERVICE
}
