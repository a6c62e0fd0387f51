package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import java.nio.ByteBuffer;

/**
 * The key of a cold row: the specification of a job's generation, or the whole outcome of the transaction that was decided at
 * a version. A version is one or the other. The bytes of keys sort like their numbers.
 */
public record ColdKey(long version, int generation) {
    /** Generations are counted from 1. */
    private static final int OUTCOME = 0;

    public static ColdKey specification(JobId job, int generation) {
        return new ColdKey(job.version(), generation);
    }

    public static ColdKey outcome(CellVersion version) {
        return new ColdKey(version.number(), OUTCOME);
    }

    /** If false, the row is a specification. */
    public boolean isOutcome() {
        return generation == OUTCOME;
    }

    public byte[] bytes() {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(version)
                .putInt(generation)
                .array();
    }
}
