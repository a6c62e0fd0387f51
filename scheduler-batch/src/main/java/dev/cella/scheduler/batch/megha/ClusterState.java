package dev.cella.scheduler.batch.megha;

/**
 * The state of one local master's workers at one moment: a heartbeat, or what comes with an answer. Never changed.
 *
 * @param free has the bits of the cluster's workers, by their numbers in the federation
 * @param users of the cluster's workers, from its first on; empty if there is only one user
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares states
public record ClusterState(int localMaster, WorkerBits free, int[] users) {}
