package dev.cella.simulator.workload;

/** How the batch jobs of a run come, and what they read. */
public enum JobKind {
    /** The dissertation's (3.2): arrivals, tasks a job and durations are exponential. */
    EXPONENTIAL,
    /** All jobs arrive at the beginning, have equally many tasks and read the same file ("scan jobs"). */
    SCANS,
    /**
     * Jobs of the same number of tasks, each with a file of its own, in a pool that is always furthest below its share;
     * other jobs, which read nothing, take every slot that these leave.
     */
    PROBES,
    /** Jobs with the sizes of Table 2 of "Delay Scheduling", each with a file of its own. */
    FACEBOOK
}
