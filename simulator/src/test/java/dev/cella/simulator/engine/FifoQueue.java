package dev.cella.simulator.engine;

import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * An oracle: jobs on workers that hold one task each, placed first come, first served by a scheduler that takes no time. The
 * next task starts on the worker that is free first, and a job waits until its last task has started.
 */
public final class FifoQueue {
    private static final int TASKS_MAX = 8;
    private static final long TASK_NANOS_MAX = 2_000_000_000L;
    private static final double LOAD = 0.95;

    private final int workers;
    private final List<SimulatedJob> jobs = new ArrayList<>();

    /** Random jobs that keep the workers nearly always busy. */
    public FifoQueue(int workers, int count, long seed) {
        this.workers = workers;
        Random random = new Random(seed);
        double meanWork = (TASKS_MAX + 1) / 2.0 * TASK_NANOS_MAX / 2;
        int gapMax = (int) (2 * meanWork / LOAD / workers);
        long arrival = 0;
        for (int number = 0; number < count; number++) {
            long[] nanos = random.longs(1 + random.nextInt(TASKS_MAX), 1, TASK_NANOS_MAX)
                    .toArray();
            jobs.add(new SimulatedJob(Workload.BATCH, number, arrival, nanos.length, new SimulatedJob.Each(nanos)));
            arrival += random.nextInt(gapMax);
        }
    }

    public Geometry geometry() {
        return new Geometry(workers, 1000, 1024, 1000, 1024, 0);
    }

    public Trace trace() {
        return new Trace.Arrivals(jobs);
    }

    /** From submission until the whole job is placed. */
    public double meanWaitSeconds() {
        PriorityQueue<Long> freeAt = new PriorityQueue<>();
        for (int worker = 0; worker < workers; worker++) {
            freeAt.add(0L);
        }
        double waits = 0;
        for (SimulatedJob job : jobs) {
            long start = job.submittedNanos();
            for (int task = 0; task < job.tasks(); task++) {
                start = Math.max(start, freeAt.remove());
                freeAt.add(start + job.times().nanos(task));
            }
            waits += start - job.submittedNanos();
        }
        return VirtualTime.seconds(waits / jobs.size());
    }
}
