package dev.cella.simulator.experiment;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.WorkloadSetUp;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;

/**
 * The theory of one scheduler that serves jobs first come, first served: the queue M/G/1. Arrivals are Poisson, and a decision
 * takes S = perJob + perTask n, where n is an exponential number rounded up: geometric with p = 1 - exp(-1/mean). Then busy =
 * rho = lambda E[S], and the mean wait is lambda E[S^2] / (2 (1 - rho)) (Pollaczek-Khinchine). It does not model retries, so
 * it holds while the cell has room.
 */
public final class SingleServerQueue {
    private double busyFraction;
    private double secondMoments;

    /** One queue for both workloads of a run. */
    public static SingleServerQueue of(RunParameters parameters) {
        SingleServerQueue queue = new SingleServerQueue();
        for (Workload workload : Workload.values()) {
            queue.serve(parameters.setUp(workload));
        }
        return queue;
    }

    /** A queue for one workload only. */
    public static SingleServerQueue of(RunParameters parameters, Workload workload) {
        SingleServerQueue queue = new SingleServerQueue();
        queue.serve(parameters.setUp(workload));
        return queue;
    }

    private void serve(WorkloadSetUp setUp) {
        JobMeans means = setUp.means();
        DecisionTime decisionTime = setUp.decisionTime();
        double p = -Math.expm1(-1 / means.tasksPerJob());
        double tasks = 1 / p;
        double tasksSquared = (2 - p) / (p * p);
        double perJob = VirtualTime.seconds(decisionTime.perJobNanos());
        double perTask = VirtualTime.seconds(decisionTime.perTaskNanos());
        double seconds = perJob + perTask * tasks;
        double secondsSquared = perJob * perJob + 2 * perJob * perTask * tasks + perTask * perTask * tasksSquared;
        busyFraction += means.jobsPerSecond() * seconds;
        secondMoments += means.jobsPerSecond() * secondsSquared;
    }

    /** The fraction of time in which the scheduler is busy; at 1 or more the queue grows forever. */
    public double busyFraction() {
        return busyFraction;
    }

    /** The mean time from submission to the start of the decision; infinite when saturated. */
    public double meanWaitSeconds() {
        return busyFraction >= 1 ? Double.POSITIVE_INFINITY : secondMoments / (2 * (1 - busyFraction));
    }
}
