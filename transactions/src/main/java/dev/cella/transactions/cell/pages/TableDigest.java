package dev.cella.transactions.cell.pages;

import dev.cella.transactions.model.Digests;
import java.util.Random;

/**
 * The digest of one table, updated with each change of a row.
 *
 * <p>The digest is the sum over all rows of the row's coefficient times its weight, modulo 2^64. The coefficient is an odd
 * number drawn from the row's key. The weight is the sum over the row's columns of the value times an odd number drawn for the
 * column. So a change costs one multiplication per column and one per row, whatever the size of the table, and the order of
 * writes does not matter: two copies that hold the same rows have the same digest. An absent row weighs nothing. The digest
 * finds accidents, not adversaries.
 */
public final class TableDigest {
    private static final int COLUMNS_MAX = 128;
    private static final long[] COLUMNS =
            new Random(COLUMNS_MAX).longs(COLUMNS_MAX).map(drawn -> drawn | 1).toArray();

    private final boolean kept;
    private long sum;

    public TableDigest() {
        this(true);
    }

    /**
     * Without {@code kept} the digest costs nothing and has no value: for a table that is never compared with another.
     */
    public TableDigest(boolean kept) {
        this.kept = kept;
    }

    public TableDigest(TableDigest copied) {
        kept = copied.kept;
        sum = copied.sum;
    }

    /** Returns whether callers have to compute weights. */
    public boolean isKept() {
        return kept;
    }

    private static long coefficient(long key) {
        return Digests.mix(0, key) | 1;
    }

    /** The part of a row's weight for one column's value. */
    public static long weight(int column, long value) {
        return COLUMNS[column] * value;
    }

    /** The weight of a row changed. */
    public void moved(long key, long fromWeight, long toWeight) {
        if (kept) {
            sum += coefficient(key) * (toWeight - fromWeight);
        }
    }

    /** One value of a row changed. */
    public void moved(long key, int column, long from, long to) {
        if (kept) {
            sum += coefficient(key) * weight(column, to - from);
        }
    }

    public long value() {
        if (!kept) {
            throw new IllegalStateException("a cell that nobody follows keeps no digests");
        }
        return sum;
    }
}
