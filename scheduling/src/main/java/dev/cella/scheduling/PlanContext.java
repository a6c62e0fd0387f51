package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;

/**
 * Everything beside cells and work that a plan may depend on, so that a plan is a function of its arguments.
 *
 * @param seed drawn anew for each attempt: planners that randomise among near-equals with it do not herd
 * @param memory what the scheduler's last plan wanted to remember
 */
public record PlanContext<M>(CellTime now, long seed, M memory, Observations observations) {
    /** The same for a scheduler with another memory. */
    public <N> PlanContext<N> withMemory(N other) {
        return new PlanContext<>(now, seed, other, observations);
    }
}
