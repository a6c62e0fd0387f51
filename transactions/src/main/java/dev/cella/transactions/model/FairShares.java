package dev.cella.transactions.model;

import java.util.List;

/**
 * Divides one dimension among claimants by weighted max-min. Nobody gets more than its demand. Each claimant first gets its
 * minimum, as far as it wants it; the rest is shared by weight. A pure function: the doors show these shares and schedulers
 * plan with them.
 */
public final class FairShares {
    /** A claimant of a share. */
    public record Claimant(long weight, long minimum, long demand) {
        public Claimant {
            if (weight < 1 || minimum < 0 || demand < 0) {
                throw new IllegalArgumentException("weight " + weight + ", minimum " + minimum + ", demand " + demand);
            }
        }

        /** Its share if each unit of weight is worth {@code level}. */
        private double at(double level) {
            return Math.min((double) demand, Math.max((double) Math.min(minimum, demand), level * weight));
        }
    }

    private static final int HALVINGS = 200;

    private FairShares() {}

    /** The share of each claimant, rounded down to whole amounts. */
    public static long[] divide(long capacity, List<Claimant> claimants) {
        double guaranteed =
                claimants.stream().mapToDouble(claimant -> claimant.at(0)).sum();
        if (guaranteed > capacity) {
            double part = capacity / guaranteed;
            return claimants.stream()
                    .mapToLong(claimant -> (long) (claimant.at(0) * part))
                    .toArray();
        }
        double level = level(capacity, claimants);
        return claimants.stream()
                .mapToLong(claimant -> (long) Math.floor(claimant.at(level) + 1e-6))
                .toArray();
    }

    /** The highest level at which the shares fit. */
    private static double level(long capacity, List<Claimant> claimants) {
        double low = 0;
        double high = claimants.stream()
                .mapToDouble(claimant -> (double) claimant.demand / claimant.weight)
                .max()
                .orElse(0);
        if (total(high, claimants) <= capacity) {
            return high;
        }
        for (int step = 0; step < HALVINGS && low < high; step++) {
            double middle = (low + high) / 2;
            if (middle == low || middle == high) {
                break;
            }
            if (total(middle, claimants) <= capacity) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double total(double level, List<Claimant> claimants) {
        double total = 0;
        for (Claimant claimant : claimants) {
            total += claimant.at(level);
        }
        return total;
    }
}
