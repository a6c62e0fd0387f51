package dev.cella.state;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Departure;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Replica;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.Time;
import dev.cella.state.ratis.RatisLog;
import dev.cella.state.rocksdb.RocksCellStore;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;

/**
 * A replica in this process, on a data directory: its log on Ratis, its store on RocksDB, its threads and its clocks.
 *
 * <p>It does not own the directory: the opener closes the directory after the replica.
 */
public final class EmbeddedReplica implements AutoCloseable {
    private final Replica replica;
    private final ReplicaThreads threads;

    /** Makes the replica; nothing happens before {@link #start}. */
    EmbeddedReplica(DataDirectory directory, ReplicaOptions options, Departure departure) {
        this.threads = new ReplicaThreads();
        this.replica = new Replica(
                new Command.FoundCell(
                        directory.cell(),
                        randomIncarnation(),
                        Math.min(options.foundingLevel(), directory.foundingLevel())),
                configured(directory, options.membership()),
                new RatisLog(directory, options.log(), options.membership(), threads.time()),
                new RocksCellStore(directory),
                options.limits(),
                threads.time(),
                threads.threads(),
                departure);
    }

    /** Makes and starts the replica. */
    public static EmbeddedReplica open(DataDirectory directory, ReplicaOptions options, Departure departure)
            throws IOException, StartRefusedException {
        EmbeddedReplica made = new EmbeddedReplica(directory, options, departure);
        made.start();
        return made;
    }

    /**
     * Starts the replica; {@link Replica#ready} tells when it can be used. If the start fails, the replica is closed.
     */
    void start() throws IOException, StartRefusedException {
        try {
            replica.start();
        } catch (IOException | StartRefusedException | RuntimeException failure) {
            threads.close();
            throw failure;
        }
    }

    private static Membership configured(DataDirectory directory, Membership membership) {
        String self = directory.replica(membership);
        return self.equals(membership.self()) ? membership : new Membership(self, List.of());
    }

    /** Never 0, because 0 means "not stated". */
    private static Incarnation randomIncarnation() {
        return new Incarnation(new SecureRandom().nextLong() | 1);
    }

    public Replica replica() {
        return replica;
    }

    /** The clocks of the replica. */
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
