package dev.cella.simulator.workload;

/** Tasks that hold their part of the cell before the first job arrives. */
public record StandingJob(int tasks, long cpuMilli, long memoryMib, long endNanos) {
    public StandingJob {
        if (tasks < 1) {
            throw new IllegalArgumentException("a standing job has at least one task, not " + tasks);
        }
    }

    public boolean isEverlasting() {
        return endNanos == VirtualTime.NEVER;
    }
}
