package dev.cella.scheduling;

import java.util.List;

/**
 * What a scheduler is asked to plan: the jobs whose turn it is, in the order in which they should be served, and what
 * happened that woke them. Most schedulers are given one job at a time.
 */
public record Work(List<JobWork> jobs, List<Signal> signals) {
    public Work {
        jobs = List.copyOf(jobs);
        signals = List.copyOf(signals);
    }
}
