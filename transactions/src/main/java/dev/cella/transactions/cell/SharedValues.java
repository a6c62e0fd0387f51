package dev.cella.transactions.cell;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Immutable values that many rows have in common, each under a small number that a row keeps among its words.
 *
 * <p>The naive way is a reference a row. All claims of a transaction then write the same few references again and again,
 * and each of these writes tells the collector of it, and waits until all writes before it have arrived in memory: with
 * rows that lie anywhere in a large cell, that is what a claim mostly waited for. A number is written like any other word.
 *
 * <p>What it costs: rows that use a value are counted, and the last one forgets it. Owned by the thread that applies
 * changes; copies share its pages.
 */
final class SharedValues<T> {
    static final int NONE = 0;
    private static final int ROW_BITS = 6;

    private final RefPages<T> values;
    private int[] uses = new int[1 << ROW_BITS];
    private int end = 1;
    private int firstUnused = NONE;

    SharedValues() {
        values = new RefPages<>(ROW_BITS);
        values.reach(NONE);
    }

    private SharedValues(SharedValues<T> copied) {
        values = copied.values.copy();
        uses = new int[0];
    }

    /** The values of this moment, to be read and never written. */
    SharedValues<T> copy() {
        return new SharedValues<>(this);
    }

    /** The value under that number; nothing under {@link #NONE}, or one that was forgotten. */
    @Nullable
    T get(int number) {
        return values.get(number);
    }

    /** A number for a value, for rows that are about to use it. */
    int add(T value) {
        int number = firstUnused;
        if (number == NONE) {
            number = end++;
            reach(number);
        } else {
            firstUnused = uses[number];
            uses[number] = 0;
        }
        values.set(number, value);
        return number;
    }

    private void reach(int number) {
        values.reach(number);
        if (number == uses.length) {
            uses = Arrays.copyOf(uses, 2 * number);
        }
    }

    /** A row that used one value uses another from now on; either may be {@link #NONE}. */
    void exchange(int from, int to) {
        if (from == to) {
            return;
        }
        if (to != NONE) {
            uses[to]++;
        }
        if (from != NONE && --uses[from] == 0) {
            values.set(from, null);
            uses[from] = firstUnused;
            firstUnused = from;
        }
    }
}
