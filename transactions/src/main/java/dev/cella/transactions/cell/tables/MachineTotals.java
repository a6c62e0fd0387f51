package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import java.util.Arrays;

/**
 * What all machines that are not DOWN have and have free, by dimension: a reader need not visit every machine. Owned by the
 * thread that applies changes.
 *
 * <p>The amounts of a thousand machines may be more than a long holds, so a sum is kept in two words of different weight.
 */
final class MachineTotals {
    private static final int HALF = 32;
    private static final long LOW = (1L << HALF) - 1;
    private static final long HIGH_MAX = Amounts.AMOUNT_MAX >>> HALF;

    private long[] capacityLow;
    private long[] capacityHigh;
    private long[] freeLow;
    private long[] freeHigh;

    MachineTotals(int width) {
        capacityLow = new long[width];
        capacityHigh = new long[width];
        freeLow = new long[width];
        freeHigh = new long[width];
    }

    MachineTotals(MachineTotals copied) {
        capacityLow = copied.capacityLow.clone();
        capacityHigh = copied.capacityHigh.clone();
        freeLow = copied.freeLow.clone();
        freeHigh = copied.freeHigh.clone();
    }

    /** The sum of the capacities, at most {@link Amounts#AMOUNT_MAX}. */
    long capacity(int dimension) {
        return sum(capacityLow[dimension], capacityHigh[dimension]);
    }

    /** The sum of the free amounts, at most {@link Amounts#AMOUNT_MAX}. */
    long free(int dimension) {
        return sum(freeLow[dimension], freeHigh[dimension]);
    }

    private static long sum(long low, long high) {
        long carried = high + (low >> HALF);
        return carried > HIGH_MAX ? Amounts.AMOUNT_MAX : (carried << HALF) + (low & LOW);
    }

    /** Counts the machine of that slot once more ({@code sign} 1) or once less (-1), if it is there and not DOWN. */
    void count(MachineAmounts machines, int slot, int sign) {
        if (!machines.has(slot, MachineAmounts.EXISTS) || machines.has(slot, MachineAmounts.DOWN)) {
            return;
        }
        for (int dimension = 0; dimension < capacityLow.length; dimension++) {
            long has = machines.capacity(slot, dimension);
            capacityLow[dimension] += sign * (has & LOW);
            capacityHigh[dimension] += sign * (has >>> HALF);
            addFree(dimension, machines.free(slot, dimension), sign);
        }
    }

    /** A machine that is not DOWN has more ({@code sign} 1) or less (-1) free. */
    void countFree(Amounts amounts, int sign) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            addFree(dimension, amounts.at(dimension), sign);
        }
    }

    private void addFree(int dimension, long amount, int sign) {
        freeLow[dimension] += sign * (amount & LOW);
        freeHigh[dimension] += sign * (amount >>> HALF);
    }

    void widen(int width) {
        capacityLow = Arrays.copyOf(capacityLow, width);
        capacityHigh = Arrays.copyOf(capacityHigh, width);
        freeLow = Arrays.copyOf(freeLow, width);
        freeHigh = Arrays.copyOf(freeHigh, width);
    }
}
