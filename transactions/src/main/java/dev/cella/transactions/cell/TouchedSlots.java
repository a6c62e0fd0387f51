package dev.cella.transactions.cell;

import java.util.Arrays;

/**
 * The slots that a draft has touched so far, numbered in the order in which it came to them: a small map with open
 * addressing that is emptied in O(1). An array with a place for each slot would be simpler; in a large cell it is one more
 * line of memory, and a far one, for each claim.
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

    /** One that was emptied so often before. */
    TouchedSlots(int epoch) {
        this.epoch = epoch;
    }

    /** Once in four thousand million times in earnest, so that what was touched so long ago is not touched again. */
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

    /** The number of the slot; the count of before where it was not in it. */
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
