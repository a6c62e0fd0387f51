package dev.cella.transactions.cell;

/** A digest of each table, so that a copy which keeps only some of them can check those. */
public record CellDigests(long head, long machines, long jobs, long tasks, long sessions, long policies, long holds) {}
