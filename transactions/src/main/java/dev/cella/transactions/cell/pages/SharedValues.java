package dev.cella.transactions.cell.pages;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Immutable values that many rows share, each under a small number that a row keeps among its words.
 *
 * <p>The naive way is one reference per row. All claims of a transaction then write the same few references again and again.
 * Each such write passes the collector's barrier, which waits until all earlier writes have reached memory. In a large cell,
 * where rows are anywhere, claims mostly waited for that. A number is written like any other word.
 *
 * <p>The cost: rows that use a value are counted, and the last one forgets it. Owned by the thread that applies changes;
 * copies share its pages.
 */
public final class SharedValues<T> {
    public static final int NONE = 0;
    private static final int ROW_BITS = 6;

    private final RefPages<T> values;
    private int[] uses = new int[1 << ROW_BITS];
    private int end = 1;
    private int firstUnused = NONE;

    public SharedValues() {
        values = new RefPages<>(ROW_BITS);
        values.reach(NONE);
    }

    private SharedValues(SharedValues<T> copied) {
        values = copied.values.copy();
        uses = new int[0];
    }

    /** The values at this moment, for reading only. */
    public SharedValues<T> copy() {
        return new SharedValues<>(this);
    }

    /** The value under that number; null for {@link #NONE} and for a forgotten value. */
    @Nullable
    public T get(int number) {
        return values.get(number);
    }

    /** A number for a value that rows are about to use. */
    public int add(T value) {
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

    /** Moves one row from one value to another; either may be {@link #NONE}. */
    public void exchange(int from, int to) {
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
