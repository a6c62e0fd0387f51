package dev.cella.simulator.workload;

/**
 * A job as it arrives. Its tasks are alike; how long each runs once it is placed is known to the simulation alone.
 *
 * @param number counts the jobs of its stream, from 0
 */
public record SimulatedJob(Workload workload, int number, long submittedNanos, int tasks, TaskTimes times) {
    /** How long the tasks of one job run. */
    public sealed interface TaskTimes {
        long nanos(int task);
    }

    /** All equally long, as the dissertation has it. */
    public record Equal(long nanos) implements TaskTimes {
        @Override
        public long nanos(int task) {
            return nanos;
        }
    }

    /** Each as a trace says. */
    public static final class Each implements TaskTimes {
        private final long[] nanos;

        public Each(long[] nanos) {
            this.nanos = nanos.clone();
        }

        @Override
        public long nanos(int task) {
            return nanos[task];
        }
    }

    public SimulatedJob {
        if (tasks < 1) {
            throw new IllegalArgumentException("a job has at least one task, not " + tasks);
        }
    }

    public SimulatedJob(Workload workload, int number, long submittedNanos, int tasks, long taskNanos) {
        this(workload, number, submittedNanos, tasks, new Equal(taskNanos));
    }
}
