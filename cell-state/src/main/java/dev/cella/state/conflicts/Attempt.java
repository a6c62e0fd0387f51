package dev.cella.state.conflicts;

/** The outcome of one transaction's claims for one job. Aborted claims count as planned only. */
public record Attempt(long atMillis, long version, int planned, int accepted, int conflicted, int refused) {}
