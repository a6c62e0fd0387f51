package dev.cella.scheduling;

import dev.cella.transactions.cell.tables.PoolRow;

/**
 * A pool that does not have enough left of a dimension for one more task.
 *
 * @param lacks how much more the limit would have to be
 */
record OverQuota(PoolRow pool, String dimension, long limit, long lacks) {
    String text() {
        return "the quota of pool " + pool.path() + ": " + limit + " " + dimension;
    }
}
