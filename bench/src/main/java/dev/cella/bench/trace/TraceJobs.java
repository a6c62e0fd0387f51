package dev.cella.bench.trace;

import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.JobHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The jobs of a trace, drawn from one seed. Numbers of tasks are log-normal and spread as in the trace YH1 of the authors of
 * Megha: the median is 15, the mean 42. Run times are log-normal too, with a shorter tail than there, so that the number
 * of busy workers settles before the last arrival.
 */
final class TraceJobs {
    private static final double TASKS_MEDIAN = 15;
    private static final double TASKS_SIGMA = 1.43;
    private static final double SECONDS_MEDIAN = 15.6;
    private static final double SECONDS_SIGMA = 1;

    private final int tasks;
    private final Random random;
    private final double gapSeconds;
    private final List<SimulatedJob> jobs = new ArrayList<>();
    private int tasksDrawn;

    private TraceJobs(int machines, int tasks, double load, long seed) {
        this.tasks = tasks;
        this.random = RandomStream.BATCH_JOBS.of(seed);
        this.gapSeconds = mean(TASKS_MEDIAN, TASKS_SIGMA) * mean(SECONDS_MEDIAN, SECONDS_SIGMA) / machines / load;
    }

    /**
     * Draws a trace for workers of one slot. Its jobs together have exactly this number of tasks.
     *
     * @param load the work that arrives, by what the workers can do meanwhile; above 1, more and more jobs wait
     */
    static Trace.Arrivals draw(int machines, int tasks, double load, long seed) {
        TraceJobs drawn = new TraceJobs(machines, tasks, load, seed);
        double seconds = 0;
        while (drawn.tasksDrawn < tasks) {
            seconds += drawn.gap();
            drawn.addJob(VirtualTime.nanos(seconds));
        }
        return new Trace.Arrivals(drawn.jobs);
    }

    /** The last job has what is left. */
    private void addJob(long submittedNanos) {
        double size = Math.min(JobHeader.TASKS_MAX, Math.ceil(logNormal(TASKS_MEDIAN, TASKS_SIGMA)));
        long[] nanos = new long[Math.min((int) size, tasks - tasksDrawn)];
        double seconds = logNormal(SECONDS_MEDIAN, SECONDS_SIGMA);
        for (int task = 0; task < nanos.length; task++) {
            nanos[task] = VirtualTime.nanos(seconds * (0.5 + random.nextDouble()));
        }
        tasksDrawn += nanos.length;
        jobs.add(new SimulatedJob(
                Workload.BATCH, jobs.size(), submittedNanos, nanos.length, new SimulatedJob.Each(nanos)));
    }

    private double gap() {
        return -gapSeconds * StrictMath.log(1 - random.nextDouble());
    }

    private double logNormal(double median, double sigma) {
        return median * StrictMath.exp(sigma * random.nextGaussian());
    }

    private static double mean(double median, double sigma) {
        return median * StrictMath.exp(sigma * sigma / 2);
    }
}
