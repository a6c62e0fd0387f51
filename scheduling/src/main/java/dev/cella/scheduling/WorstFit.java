package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;

/** Prefers machines on which much would be left, so that load is even and little is lost with one machine. */
public final class WorstFit implements Score {
    @Override
    public long of(PlanningView cell, int machine, Amounts shape) {
        return BestFit.leftPermille(cell, machine, shape);
    }
}
