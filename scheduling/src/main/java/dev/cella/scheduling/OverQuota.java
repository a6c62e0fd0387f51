package dev.cella.scheduling;

import dev.cella.transactions.cell.PoolRow;

/** A pool that does not have enough left of a dimension for one more task. */
record OverQuota(PoolRow pool, String dimension, long limit) {
    String text() {
        return "the quota of pool " + pool.path() + ": " + limit + " " + dimension;
    }
}
