package dev.cella.state.core;

import dev.cella.transactions.model.JobId;
import java.nio.ByteBuffer;

/** The key of a cold row: the specification of a job's generation. Its bytes sort as its numbers do. */
public record ColdKey(JobId job, int generation) {
    public byte[] bytes() {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(job.version())
                .putInt(generation)
                .array();
    }
}
