package dev.cella.transactions.cell.tables;

import java.util.Arrays;

/**
 * The slots that a draft has touched so far, numbered in the order of the touches: a small map with open addressing that is
 * emptied in O(1). An array with a place for each slot would be simpler, but in a large cell each claim would then touch one
 * more distant line of memory.
 */
final class TouchedSlots {
    static final int NONE = -1;
    private static final int SIZE_MIN = 128;
    private static final int HALF = 32;

    private int epoch;
    private int count;

    /** The epoch and the slot. */
    private long[] keys = new long[SIZE_MIN];

    private int[] numbers = new int[SIZE_MIN];

    TouchedSlots() {
        this(1);
    }

    /** A map that was already cleared {@code epoch} times. */
    TouchedSlots(int epoch) {
        this.epoch = epoch;
    }

    /**
     * After four thousand million calls the epoch wraps. Then the old marks are erased, so that they do not count again.
     */
    void clear() {
        if (++epoch == 0) {
            Arrays.fill(keys, 0);
            epoch = 1;
        }
        count = 0;
    }

    int count() {
        return count;
    }

    /** The number of the slot, or {@link #NONE}. */
    int find(int slot) {
        int at = place(slot);
        return isFree(at) ? NONE : numbers[at];
    }

    /** The number of the slot. If the slot is new, that is the count before it was added. */
    int findOrAdd(int slot) {
        int at = place(slot);
        if (!isFree(at)) {
            return numbers[at];
        }
        if (2 * (count + 1) > keys.length) {
            grow();
            at = place(slot);
        }
        keys[at] = key(slot);
        numbers[at] = count;
        return count++;
    }

    /** Where the slot is, or would be. */
    private int place(int slot) {
        long key = key(slot);
        int at = home(slot);
        while (keys[at] != key && !isFree(at)) {
            at = after(at);
        }
        return at;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldNumbers = numbers;
        keys = new long[2 * oldKeys.length];
        numbers = new int[keys.length];
        for (int at = 0; at < oldKeys.length; at++) {
            if ((int) (oldKeys[at] >>> HALF) == epoch) {
                int place = place((int) oldKeys[at]);
                keys[place] = oldKeys[at];
                numbers[place] = oldNumbers[at];
            }
        }
    }

    private boolean isFree(int at) {
        return (int) (keys[at] >>> HALF) != epoch;
    }

    private long key(int slot) {
        return (long) epoch << HALF | slot;
    }

    private int home(int slot) {
        return (int) ((slot * 0x9E3779B97F4A7C15L) >>> HALF) & (keys.length - 1);
    }

    private int after(int at) {
        return (at + 1) & (keys.length - 1);
    }
}
