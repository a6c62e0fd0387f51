package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;

/**
 * How good a machine is for one task of a shape, beside what its job asks: the larger the better. Asked of machines on
 * which the task fits.
 */
@FunctionalInterface
public interface Score {
    /** All machines are alike. */
    Score NONE = (cell, machine, shape) -> 0;

    /** In thousandths of the best there is, where a score has a best. */
    long of(PlanningView cell, int machine, Amounts shape);
}
