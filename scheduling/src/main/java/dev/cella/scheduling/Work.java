package dev.cella.scheduling;

import java.util.List;

/**
 * The work of one plan: the jobs whose turn it is, in the order of service, and the signals that woke them. Most schedulers
 * get one job at a time.
 */
public record Work(List<JobWork> jobs, List<Signal> signals) {
    public Work {
        jobs = List.copyOf(jobs);
        signals = List.copyOf(signals);
    }
}
