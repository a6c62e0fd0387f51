package dev.cella.state.conflicts;

/**
 * The result of one transaction.
 *
 * @param version at which it was decided
 * @param basis on which it was planned
 */
public record LoggedDecision(
        long version, long atMillis, long basis, int accepted, int conflicted, int refused, String scheduler) {}
