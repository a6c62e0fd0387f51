package dev.cella.transactions.replay;

import java.util.OptionalDouble;

/**
 * The counts of one scheduler in one replay of a window.
 *
 * @param jobsPlaced jobs of which every task found a place
 * @param waitMeanSeconds from the arrival of those jobs until then
 * @param busyFraction of the window, by instance
 * @param wastedFraction the part of it for plans that lost a claim or placed nothing
 */
public record ReplayedCounts(
        String scheduler,
        long transactionsSuccessful,
        long transactionsConflicted,
        long claimsAccepted,
        long claimsConflicted,
        long jobs,
        long jobsPlaced,
        OptionalDouble waitMeanSeconds,
        double busyFraction,
        double wastedFraction) {}
