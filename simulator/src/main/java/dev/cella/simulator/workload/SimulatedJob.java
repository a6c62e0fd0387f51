package dev.cella.simulator.workload;

import java.util.Arrays;

/**
 * A job as it arrives. Its tasks are equal. Only the simulation knows how long each runs once it is placed.
 *
 * @param number counts the jobs of its stream, from 0
 * @param pool whose share it takes
 */
public record SimulatedJob(
        Workload workload, int number, long submittedNanos, int tasks, TaskTimes times, String pool, Reads reads) {
    /** The pool of jobs that name none. */
    public static final String POOL = "default";

    /** The blocks that the tasks of a job read, one each. The cell places them. */
    public enum Reads {
        NOTHING,
        /** Blocks that no other job reads. */
        OWN,
        /** Task n reads block n of the one file that all such jobs read. */
        COMMON
    }

    /** The run times of one job's tasks. */
    public sealed interface TaskTimes {
        long nanos(int task);

        /** The longest run time of its tasks. */
        long longest();
    }

    /** All equal, as in the dissertation. */
    public record Equal(long nanos) implements TaskTimes {
        @Override
        public long nanos(int task) {
            return nanos;
        }

        @Override
        public long longest() {
            return nanos;
        }
    }

    /** Each from a trace. */
    public static final class Each implements TaskTimes {
        private final long[] nanos;
        private final long longest;

        public Each(long[] nanos) {
            this.nanos = nanos.clone();
            this.longest = Arrays.stream(nanos).max().orElse(0);
        }

        @Override
        public long nanos(int task) {
            return nanos[task];
        }

        @Override
        public long longest() {
            return longest;
        }
    }

    public SimulatedJob {
        if (tasks < 1) {
            throw new IllegalArgumentException("a job has at least one task, not " + tasks);
        }
    }

    public SimulatedJob(Workload workload, int number, long submittedNanos, int tasks, TaskTimes times) {
        this(workload, number, submittedNanos, tasks, times, POOL, Reads.OWN);
    }

    public SimulatedJob(Workload workload, int number, long submittedNanos, int tasks, long taskNanos) {
        this(workload, number, submittedNanos, tasks, new Equal(taskNanos));
    }

    /** The same job as another one of its stream. */
    public SimulatedJob withNumber(int other) {
        return new SimulatedJob(workload, other, submittedNanos, tasks, times, pool, reads);
    }
}
