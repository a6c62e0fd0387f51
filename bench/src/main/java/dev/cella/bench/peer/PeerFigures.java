package dev.cella.bench.peer;

/**
 * The results of a load on a peer.
 *
 * @param placementsPerSecond rows written; what was deleted in between is not counted
 * @param p50Millis from sending a transaction until its answer was here
 * @param serverCpuMicros of all servers, for each placement
 */
public record PeerFigures(double placementsPerSecond, double p50Millis, double p99Millis, double serverCpuMicros) {}
