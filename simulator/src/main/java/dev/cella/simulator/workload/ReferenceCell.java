package dev.cella.simulator.workload;

/**
 * The three cells of Table 3.1. Their numbers of machines are not published. By Little's law B holds 15,400 cores of this work
 * besides its prefill, so it gets 30,000 machines, the others 10,000.
 */
public enum ReferenceCell {
    A(10_000, 0.212, 37.19, 274, 0.00274, 23.19, 317),
    B(30_000, 0.377, 52.37, 707, 0.00870, 8.18, 418),
    C(10_000, 0.268, 37.33, 289, 0.00114, 18.86, 18_610);

    private final int machines;
    private final double batchJobsPerSecond;
    private final double batchTasksPerJob;
    private final double batchTaskSeconds;
    private final double serviceJobsPerSecond;
    private final double serviceTasksPerJob;
    private final double serviceTaskSeconds;

    ReferenceCell(
            int machines,
            double batchJobsPerSecond,
            double batchTasksPerJob,
            double batchTaskSeconds,
            double serviceJobsPerSecond,
            double serviceTasksPerJob,
            double serviceTaskSeconds) {
        this.machines = machines;
        this.batchJobsPerSecond = batchJobsPerSecond;
        this.batchTasksPerJob = batchTasksPerJob;
        this.batchTaskSeconds = batchTaskSeconds;
        this.serviceJobsPerSecond = serviceJobsPerSecond;
        this.serviceTasksPerJob = serviceTasksPerJob;
        this.serviceTaskSeconds = serviceTaskSeconds;
    }

    public int machines() {
        return machines;
    }

    public JobMeans means(Workload workload) {
        return switch (workload) {
            case BATCH -> new JobMeans(batchJobsPerSecond, batchTasksPerJob, batchTaskSeconds);
            case SERVICE -> new JobMeans(serviceJobsPerSecond, serviceTasksPerJob, serviceTaskSeconds);
        };
    }
}
