package dev.cella.transactions.cell;

import dev.cella.transactions.model.Digests;

/**
 * The digest of one table, kept while its rows change.
 *
 * <p>It is the sum over all cells of the table of value times coefficient, where the coefficient is an odd number drawn
 * from the row's key and the column, modulo 2^64. A change of one value costs one multiplication, whatever the size of
 * the table, and the order in which rows were written does not matter: two copies that hold the same rows have the same
 * digest. It finds accidents, not adversaries.
 */
final class TableDigest {
    private long sum;

    /** A value changed. An absent row is one whose values are all zero. */
    void moved(long key, int column, long from, long to) {
        sum += (to - from) * coefficient(key, column);
    }

    long value() {
        return sum;
    }

    private static long coefficient(long key, int column) {
        return Digests.mix(key, column) | 1;
    }
}
