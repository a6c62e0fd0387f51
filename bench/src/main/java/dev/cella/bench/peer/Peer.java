package dev.cella.bench.peer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Three servers of a store, started for a measurement, and a client for them. */
interface Peer extends AutoCloseable {
    /** Writes a row for each of the tasks if none of them has one, all or nothing. Completes with true if it wrote them. */
    CompletableFuture<Boolean> place(List<String> tasks);

    /** Deletes the rows again. */
    CompletableFuture<Boolean> release(List<String> tasks);

    /** The processor time of the servers since their start. */
    Duration cpu();

    @Override
    void close() throws IOException;
}
