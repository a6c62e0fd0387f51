package dev.cella.bench.cell;

/**
 * The results of a load.
 *
 * @param placementsPerSecond claims accepted
 * @param transactionsPerSecond those that release included
 * @param p50Millis from when a transaction was to be submitted until its outcome was here
 * @param serverCpuMicros of the servers' processes, for each claim accepted
 * @param leaderCpuMicros of that, what the leader used
 * @param clientCpuMicros of this process, for each claim accepted
 * @param compilingFraction of the time that all processors had, what the JVMs' compilers took: little, if it was warm
 * @param warmSeconds for so long the load had gone on before
 */
public record LoadResults(
        double placementsPerSecond,
        double transactionsPerSecond,
        double p50Millis,
        double p99Millis,
        double serverCpuMicros,
        double leaderCpuMicros,
        double clientCpuMicros,
        double compilingFraction,
        double warmSeconds,
        long claimsRefused) {}
