package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;

/** Prefers machines on which little would be left, so that large tasks still find a free machine. */
public final class BestFit implements Score {
    private static final long WHOLE = 1_000;

    @Override
    public long of(PlanningView cell, int machine, Amounts shape) {
        return WHOLE - leftPermille(cell, machine, shape);
    }

    /** The free part of the machine afterwards, as the mean over the dimensions that are asked for. */
    static long leftPermille(PlanningView cell, int machine, Amounts shape) {
        long sum = 0;
        int asked = 0;
        for (int dimension = 0; dimension < shape.size(); dimension++) {
            if (shape.at(dimension) > 0) {
                long left = cell.free(machine, dimension) - shape.at(dimension);
                sum += WHOLE * left / Math.max(1, cell.view().capacity(machine, dimension));
                asked++;
            }
        }
        return sum / Math.max(1, asked);
    }
}
