package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;

/** The more would be left on a machine the better, so that load is even and little is lost with one machine. */
public final class WorstFit implements Score {
    @Override
    public long of(PlanningView cell, int machine, Amounts shape) {
        return BestFit.leftPermille(cell, machine, shape);
    }
}
