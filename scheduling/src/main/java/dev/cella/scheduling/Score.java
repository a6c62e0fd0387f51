package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;

/**
 * How good a machine is for one task of a shape, besides the job's requirements: larger is better. Only called for machines on
 * which the task fits.
 */
@FunctionalInterface
public interface Score {
    /** All machines are equal. */
    Score NONE = (cell, machine, shape) -> 0;

    /** In thousandths of the best possible score, if the score has a maximum. */
    long of(PlanningView cell, int machine, Amounts shape);
}
