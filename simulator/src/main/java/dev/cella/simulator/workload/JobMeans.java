package dev.cella.simulator.workload;

/**
 * One half of a row of Table 3.1: the mean rate of jobs, their mean number of tasks, and the tasks' mean run time.
 */
public record JobMeans(double jobsPerSecond, double tasksPerJob, double taskSeconds) {
    /** Three years. A task draws up to 40 times the mean, which must not be past the end of virtual time. */
    private static final double TASK_SECONDS_MAX = 1e8;

    public JobMeans {
        if (!(jobsPerSecond >= 0) || Double.isInfinite(jobsPerSecond)) {
            throw new IllegalArgumentException("jobs per second are not negative: " + jobsPerSecond);
        }
        if (!(tasksPerJob > 0) || Double.isInfinite(tasksPerJob)) {
            throw new IllegalArgumentException("a job has more than 0 tasks on average, not " + tasksPerJob);
        }
        if (!(taskSeconds > 0 && taskSeconds <= TASK_SECONDS_MAX)) {
            throw new IllegalArgumentException(
                    "a task runs longer than 0 s and at most 1e8 s on average, not " + taskSeconds);
        }
    }

    public JobMeans withJobsPerSecond(double rate) {
        return new JobMeans(rate, tasksPerJob, taskSeconds);
    }
}
