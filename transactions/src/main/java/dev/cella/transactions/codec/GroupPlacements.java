package dev.cella.transactions.codec;

import java.util.Arrays;

/**
 * Tasks of one group that one transaction places, one after another: for each task its index, the slot of its machine, and the
 * place of its claim in the transaction. The owner fills it again and again, so a receiver must not keep it.
 */
public final class GroupPlacements {
    /** Most are few, and each reader of changes has one of these. */
    private static final int FIRST = 8;

    private int count;
    private int[] indexes = new int[FIRST];
    private int[] slots = new int[FIRST];
    private int[] ordinals = new int[FIRST];

    /** The placement of a single task. */
    public static GroupPlacements of(int index, int slot, int ordinal) {
        GroupPlacements one = new GroupPlacements();
        one.add(index, slot, ordinal);
        return one;
    }

    public void clear() {
        count = 0;
    }

    public void add(int index, int slot, int ordinal) {
        if (count == indexes.length) {
            indexes = Arrays.copyOf(indexes, 2 * count);
            slots = Arrays.copyOf(slots, 2 * count);
            ordinals = Arrays.copyOf(ordinals, 2 * count);
        }
        indexes[count] = index;
        slots[count] = slot;
        ordinals[count] = ordinal;
        count++;
    }

    public int count() {
        return count;
    }

    public int index(int place) {
        return indexes[place];
    }

    public int slot(int place) {
        return slots[place];
    }

    public int ordinal(int place) {
        return ordinals[place];
    }
}
