package dev.cella.simulator.workload;

import dev.cella.transactions.model.JobHeader;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one workload of the dissertation (3.2): times between arrivals, tasks per job and durations come from
 * exponential distributions.
 *
 * <p>The order of the draws is fixed, so that others can compare job by job: {@code Random(seed * 31 + k)} with k = 1 for
 * batch and 2 for service; Exp(mean) = -mean ln(1 - nextDouble()); the first job arrives at Exp(1/rate); a job draws its
 * duration, its task count (rounded up, and at most what a job may have), then the time to the next arrival. The logarithm is that of {@link StrictMath}: the
 * same bits on every machine.
 */
public final class ExponentialStream implements JobStream {
    private final Workload workload;
    private final JobMeans means;
    private final Random random;
    private int number;
    private double arrivalSeconds;

    public ExponentialStream(Workload workload, JobMeans means, long seed) {
        this.workload = workload;
        this.means = means;
        this.random = workload.stream().of(seed);
        this.arrivalSeconds = drawGap();
    }

    @Override
    public @Nullable SimulatedJob next() {
        if (means.jobsPerSecond() == 0) {
            return null;
        }
        double submittedSeconds = arrivalSeconds;
        double taskSeconds = draw(means.taskSeconds());
        int tasks = (int) Math.min(JobHeader.TASKS_MAX, Math.max(1, Math.ceil(draw(means.tasksPerJob()))));
        arrivalSeconds += drawGap();
        return new SimulatedJob(
                workload, number++, VirtualTime.nanos(submittedSeconds), tasks, VirtualTime.nanos(taskSeconds));
    }

    private double drawGap() {
        return draw(1 / means.jobsPerSecond());
    }

    private double draw(double mean) {
        return -mean * StrictMath.log(1 - random.nextDouble());
    }
}
