package dev.cella.state;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Departure;
import dev.cella.state.core.Replica;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.Time;
import dev.cella.state.ratis.RatisLog;
import dev.cella.state.rocksdb.RocksCellStore;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.security.SecureRandom;

/**
 * A replica in this process, on a data directory: its log on Ratis, its store on RocksDB, its threads and its clocks.
 *
 * <p>It does not own the directory: who opened that one closes it, after this.
 */
public final class EmbeddedReplica implements AutoCloseable {
    private final Replica replica;
    private final ReplicaThreads threads;

    private EmbeddedReplica(Replica replica, ReplicaThreads threads) {
        this.replica = replica;
        this.threads = threads;
    }

    /** Starts it; {@link Replica#ready} says when it can be used. */
    public static EmbeddedReplica open(DataDirectory directory, ReplicaOptions options, Departure departure)
            throws IOException, StartRefusedException {
        ReplicaThreads threads = new ReplicaThreads();
        try {
            return new EmbeddedReplica(start(directory, options, departure, threads), threads);
        } catch (IOException | StartRefusedException | RuntimeException failure) {
            threads.close();
            throw failure;
        }
    }

    private static Replica start(
            DataDirectory directory, ReplicaOptions options, Departure departure, ReplicaThreads threads)
            throws IOException, StartRefusedException {
        return Replica.start(
                directory.cell(),
                randomIncarnation(),
                new RatisLog(directory, options.log(), options.membership()),
                new RocksCellStore(directory),
                options.limits(),
                threads.time(),
                threads.threads(),
                departure);
    }

    /** Never 0, which stands for one that is not said. */
    private static Incarnation randomIncarnation() {
        return new Incarnation(new SecureRandom().nextLong() | 1);
    }

    public Replica replica() {
        return replica;
    }

    /** The clocks that the replica goes by. */
    public Time time() {
        return threads.time();
    }

    @Override
    public void close() throws IOException {
        try {
            replica.close();
        } finally {
            threads.close();
        }
    }
}
