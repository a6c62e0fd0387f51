package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import java.util.Arrays;

/**
 * What all machines that are not DOWN have and have free, and what those that are DOWN have, by dimension: a reader need not
 * visit every machine. Owned by the thread that applies changes.
 */
final class MachineTotals {
    private final Sums capacity;
    private final Sums capacityDown;
    private final Sums free;

    MachineTotals(int width) {
        capacity = new Sums(width);
        capacityDown = new Sums(width);
        free = new Sums(width);
    }

    MachineTotals(MachineTotals copied) {
        capacity = new Sums(copied.capacity);
        capacityDown = new Sums(copied.capacityDown);
        free = new Sums(copied.free);
    }

    /** The sum of the capacities, at most {@link Amounts#AMOUNT_MAX}. */
    long capacity(int dimension) {
        return capacity.at(dimension);
    }

    /** The sum of the capacities of machines that are DOWN, at most {@link Amounts#AMOUNT_MAX}. */
    long capacityDown(int dimension) {
        return capacityDown.at(dimension);
    }

    /** The sum of the free amounts, at most {@link Amounts#AMOUNT_MAX}. */
    long free(int dimension) {
        return free.at(dimension);
    }

    /** Counts the machine of that slot once more ({@code sign} 1) or once less (-1), if it is there. */
    void count(MachineAmounts machines, int slot, int sign) {
        if (!machines.has(slot, MachineAmounts.EXISTS)) {
            return;
        }
        boolean isDown = machines.has(slot, MachineAmounts.DOWN);
        for (int dimension = 0; dimension < capacity.width(); dimension++) {
            (isDown ? capacityDown : capacity).add(dimension, machines.capacity(slot, dimension), sign);
            if (!isDown) {
                free.add(dimension, machines.free(slot, dimension), sign);
            }
        }
    }

    /** A machine that is not DOWN has more ({@code sign} 1) or less (-1) free. */
    void countFree(Amounts amounts, int sign) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            free.add(dimension, amounts.at(dimension), sign);
        }
    }

    void widen(int width) {
        capacity.widen(width);
        capacityDown.widen(width);
        free.widen(width);
    }

    /**
     * A sum for each dimension. The amounts of a thousand machines may be more than a long holds, so a sum is kept in two words
     * of different weight.
     */
    private static final class Sums {
        private static final int HALF = 32;
        private static final long LOW = (1L << HALF) - 1;
        private static final long HIGH_MAX = Amounts.AMOUNT_MAX >>> HALF;

        private long[] low;
        private long[] high;

        Sums(int width) {
            low = new long[width];
            high = new long[width];
        }

        Sums(Sums copied) {
            low = copied.low.clone();
            high = copied.high.clone();
        }

        int width() {
            return low.length;
        }

        long at(int dimension) {
            long carried = high[dimension] + (low[dimension] >> HALF);
            return carried > HIGH_MAX ? Amounts.AMOUNT_MAX : (carried << HALF) + (low[dimension] & LOW);
        }

        void add(int dimension, long amount, int sign) {
            low[dimension] += sign * (amount & LOW);
            high[dimension] += sign * (amount >>> HALF);
        }

        void widen(int width) {
            low = Arrays.copyOf(low, width);
            high = Arrays.copyOf(high, width);
        }
    }
}
