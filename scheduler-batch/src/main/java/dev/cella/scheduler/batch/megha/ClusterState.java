package dev.cella.scheduler.batch.megha;

/**
 * The state of one local master's workers at one moment: a heartbeat, or what comes with an answer. Never changed.
 *
 * @param free has a bit for every worker of the federation; only those of the cluster count
 * @param users of the cluster's workers, from its first on; empty if there is only one user
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares states
public record ClusterState(int localMaster, WorkerBits free, int[] users) {}
