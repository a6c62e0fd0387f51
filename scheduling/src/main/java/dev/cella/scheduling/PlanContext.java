package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;

/**
 * Everything besides cells and work that a plan may depend on, so that a plan is a function of its arguments.
 *
 * @param seed drawn again for each attempt: planners that use it to choose among near-equals do not herd
 * @param memory the memory that the scheduler's last plan returned
 */
public record PlanContext<M>(CellTime now, long seed, M memory, Observations observations) {
    /** The same for a scheduler with another memory. */
    public <N> PlanContext<N> withMemory(N other) {
        return new PlanContext<>(now, seed, other, observations);
    }
}
