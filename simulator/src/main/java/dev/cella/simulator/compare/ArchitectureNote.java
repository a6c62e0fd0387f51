package dev.cella.simulator.compare;

import java.util.Map;

/**
 * What a reader must know to read an architecture's row.
 *
 * @param shows what its numbers are about
 * @param leavesOut what the simulation of it does not have
 * @param conflicts what is counted as its conflicts
 */
record ArchitectureNote(String shows, String leavesOut, String conflicts) {
    private static final String NO_CONFLICTS = "None: one decision at a time.";
    private static final String LOST_CLAIMS = "Claims that another transaction made impossible.";

    private static final Map<String, ArchitectureNote> NOTES = Map.of(
            "monolithic",
            new ArchitectureNote(
                    "One scheduler, one queue, one decision time for all jobs: a slow decision delays every job behind it.",
                    "Priorities and constraints. Jobs are served in the order of their arrival.",
                    NO_CONFLICTS),
            "monolithic-multipath",
            new ArchitectureNote(
                    "The same scheduler with a fast path for batch jobs. Both kinds still share the queue.",
                    "Parallel decisions within the scheduler.",
                    NO_CONFLICTS),
            "partitioned",
            new ArchitectureNote(
                    "A fixed part of the machines for each workload. One part can be full while the other idles; in a trace of"
                            + " batch jobs the service part idles.",
                    "Parts that are resized.",
                    LOST_CLAIMS + " There are some only if a workload has several schedulers that share a part."),
            "offers",
            new ArchitectureNote(
                    "An allocator offers everything that is free to one framework at a time (Mesos). A framework that decides"
                            + " for long keeps others from what it was offered.",
                    "Time-outs, limits of outstanding offers, and refusals.",
                    "None: an offer is exclusive."),
            "offers-live",
            new ArchitectureNote(
                    "The live allocator offers whole machines to live schedulers, which may refuse them.",
                    "The network and the disk: a commit takes no time beside the decision.",
                    LOST_CLAIMS),
            "replicated",
            new ArchitectureNote(
                    "Cella: schedulers with private views of one cell state, and a commit that decides. It runs the code of the"
                            + " live system.",
                    "The network and the disk: a commit takes no time beside the decision.",
                    LOST_CLAIMS),
            "fair",
            new ArchitectureNote(
                    "The same cell with fair shares and delay scheduling: a job waits a little for a machine that has its"
                            + " input (--wait-machine, --wait-rack), which is part of its wait here.",
                    "Pools: all jobs of a workload file are in one.",
                    LOST_CLAIMS),
            "apollo",
            new ArchitectureNote(
                    "Each job sends its tasks to the queues of machines by estimates from reports that are up to a heartbeat"
                            + " old, and sends a duplicate where a queue is longer than estimated. Run times are estimated by"
                            + " the mean of the job, so jobs with unequal tasks are estimated badly.",
                    "Input data, failures and stragglers. Opportunistic tasks run only with --tokens.",
                    "Duplicates: decisions that were made again."),
            "sparrow",
            new ArchitectureNote(
                    "Each job probes machines at random; the first that have room get its tasks. Nobody knows the whole cell,"
                            + " so a job can wait although a machine is idle: p99 shows it. Only a machine that the prefill"
                            + " leaves no room for ever is not probed.",
                    "Constraints and priorities.",
                    "Probes in vain: a machine had room and asked, but all tasks of the job were taken. With two probes for a"
                            + " task it is about one for each task."),
            "megha",
            new ArchitectureNote(
                    "Global masters plan on views of all workers that are as old as the last heartbeat or answer. The workers'"
                            + " local masters verify. A worker is a slot of one task.",
                    "Constraints, and resources finer than a slot.",
                    "Inconsistencies: a local master refused a request from a stale view."));

    /** A plug-in's type runs in the replicated cell. */
    private static final ArchitectureNote PLUGIN = new ArchitectureNote(
            "The replicated cell with batch schedulers of this type.", "What the type does not say.", LOST_CLAIMS);

    static ArchitectureNote of(String architecture) {
        return NOTES.getOrDefault(architecture, PLUGIN);
    }
}
