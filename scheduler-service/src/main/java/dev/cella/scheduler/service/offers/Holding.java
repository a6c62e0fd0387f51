package dev.cella.scheduler.service.offers;

import dev.cella.transactions.model.Amounts;

/**
 * What a framework or a role holds of a cell, and its dominant share: the largest of its shares over the dimensions, by its
 * weight (Ghodsi et al., "Dominant Resource Fairness", NSDI 2011). Equal shares are equal numbers, because each is the result
 * of one division of whole numbers.
 */
final class Holding {
    private final int weight;
    private final long[] totals;
    private final long[] held;

    Holding(int weight, long[] totals) {
        this.weight = weight;
        this.totals = totals;
        this.held = new long[totals.length];
    }

    void add(Amounts amounts, int times) {
        for (int dimension = 0; dimension < Math.min(amounts.size(), held.length); dimension++) {
            held[dimension] += times * amounts.at(dimension);
        }
    }

    long held(int dimension) {
        return held[dimension];
    }

    double share() {
        double share = 0;
        for (int dimension = 0; dimension < held.length; dimension++) {
            if (totals[dimension] > 0) {
                share = Math.max(share, held[dimension] / ((double) totals[dimension] * weight));
            }
        }
        return share;
    }
}
