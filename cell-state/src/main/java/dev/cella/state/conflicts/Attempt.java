package dev.cella.state.conflicts;

/** What came of one transaction's claims for one job; what was aborted with others is planned, and none of the rest. */
public record Attempt(long atMillis, long version, int planned, int accepted, int conflicted, int refused) {}
