package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;

/** The less would be left on a machine the better, so that large tasks still find a machine that is free. */
public final class BestFit implements Score {
    private static final long WHOLE = 1_000;

    @Override
    public long of(PlanningView cell, int machine, Amounts shape) {
        return WHOLE - leftPermille(cell, machine, shape);
    }

    /** What would be left of the machine, in the mean over the dimensions that are asked. */
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
