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

    /** From 0 to 1,000, or whatever the score's makers agree on. */
    long of(PlanningView cell, int machine, Amounts shape);
}
