package dev.cella.bench.cell;

/**
 * What came out of a load.
 *
 * @param placementsPerSecond claims accepted
 * @param transactionsPerSecond those that release included
 * @param p50Millis from when a transaction was to be submitted until its outcome was here
 * @param serverCpuMicros of the server's process, for each claim accepted
 * @param clientCpuMicros of this process, for each claim accepted
 */
public record Figures(
        double placementsPerSecond,
        double transactionsPerSecond,
        double p50Millis,
        double p99Millis,
        double serverCpuMicros,
        double clientCpuMicros,
        long claimsRefused) {}
