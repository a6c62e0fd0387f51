package dev.cella.bench.cell;

import java.util.OptionalInt;

/**
 * The jobs that users of a measured cell submit.
 *
 * @param tasks the number of tasks of each job
 * @param users the number of users of each scheduler; each has one job at a time
 * @param perSecond how many jobs are submitted per second to all schedulers together, even if earlier jobs still wait; if
 *     empty, each user submits a job when its last job is placed
 */
record OfferedJobs(int tasks, int users, OptionalInt perSecond) {
    static OfferedJobs closed(int tasks, int users) {
        return new OfferedJobs(tasks, users, OptionalInt.empty());
    }

    static OfferedJobs open(int tasks, int perSecond) {
        return new OfferedJobs(tasks, 0, OptionalInt.of(perSecond));
    }
}
