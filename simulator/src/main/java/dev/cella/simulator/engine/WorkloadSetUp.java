package dev.cella.simulator.engine;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.workload.JobMeans;

/** One workload of a run: how its jobs arrive, which schedulers serve it, and how long they decide. */
public record WorkloadSetUp(JobMeans means, DecisionTime decisionTime, SchedulerChoice schedulers) {
    /** The dissertation's decision time (3.2), and one scheduler. */
    public static WorkloadSetUp of(JobMeans means) {
        return new WorkloadSetUp(means, DecisionTime.ofSeconds(0.1, 0.005), SchedulerChoice.one());
    }

    public WorkloadSetUp withMeans(JobMeans other) {
        return new WorkloadSetUp(other, decisionTime, schedulers);
    }

    public WorkloadSetUp withDecisionTime(DecisionTime other) {
        return new WorkloadSetUp(means, other, schedulers);
    }

    public WorkloadSetUp withSchedulers(SchedulerChoice other) {
        return new WorkloadSetUp(means, decisionTime, other);
    }
}
