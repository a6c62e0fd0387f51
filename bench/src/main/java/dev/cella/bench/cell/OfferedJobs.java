package dev.cella.bench.cell;

import java.util.OptionalInt;

/**
 * The jobs that users of a measured cell submit.
 *
 * @param tasks of each job
 * @param users of each scheduler, each with one job at a time
 * @param perSecond jobs of all schedulers submitted per second, however those before them fare; left out: each user submits a
 *     job when its job before is placed
 */
record OfferedJobs(int tasks, int users, OptionalInt perSecond) {
    static OfferedJobs closed(int tasks, int users) {
        return new OfferedJobs(tasks, users, OptionalInt.empty());
    }

    static OfferedJobs open(int tasks, int perSecond) {
        return new OfferedJobs(tasks, 0, OptionalInt.of(perSecond));
    }
}
