package dev.cella.bench.cell;

import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.PrivateReplica;
import dev.cella.client.live.ReplicaListener;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The time from a commit to the private replicas: several of them in this process follow the feed of a real server while
 * schedulers place at a fixed rate. The time runs from the outcome at its scheduler to the view that shows it; it is zero if
 * the view came first.
 */
public final class FeedBench {
    private static final int REPLICAS = 4;
    private static final int SCHEDULERS = 2;
    private static final int CLAIMS = 10;
    private static final int TRANSACTIONS_PER_SECOND = 3_750;

    private FeedBench() {}

    /**
     * The results of all replicas together.
     *
     * @param p50Millis from the outcome to the view
     * @param mismatches how often a replica's digests differed from the cell's
     */
    public record Report(
            Conditions conditions,
            int replicas,
            LoadResults commits,
            double p50Millis,
            double p99Millis,
            long mismatches) {}

    /**
     * Founds a cell and places while its feed is followed.
     *
     */
    public static Report run(Servers servers, int machines, Duration measured)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers);
                CellConnection connection = CellConnection.open(cell.leaderFirst())) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            Histogram lag = new ConcurrentHistogram(3);
            List<Follower> followers = new ArrayList<>();
            for (int replica = 0; replica < REPLICAS; replica++) {
                followers.add(new Follower(connection, lag));
            }
            LoadResults commits = new Phase(cell, machines)
                    .run(
                            "feed",
                            OfferedLoad.open(SCHEDULERS, CLAIMS, TRANSACTIONS_PER_SECOND),
                            measured.dividedBy(2),
                            measured,
                            answered -> followers.forEach(follower ->
                                    follower.answered(answered.outcome().version())));
            long mismatches = followers.stream()
                    .mapToLong(follower -> follower.replica.mismatches())
                    .sum();
            followers.forEach(Follower::close);
            return new Report(
                    conditions,
                    REPLICAS,
                    commits,
                    lag.getValueAtPercentile(50) / 1e6,
                    lag.getValueAtPercentile(99) / 1e6,
                    mismatches);
        }
    }

    /** A private replica, and the outcomes that it does not show yet. Guarded by its own monitor. */
    private static final class Follower implements ReplicaListener, TouchedRows, AutoCloseable {
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        private final PrivateReplica replica;
        private final Histogram lag;
        private final TreeMap<Long, Long> answeredNanos = new TreeMap<>();
        private long shown;

        Follower(CellConnection connection, Histogram lag) {
            this.lag = lag;
            this.replica = new PrivateReplica(connection, thread, Backoff.standard(new Random(1)), this);
            replica.start();
        }

        synchronized void answered(CellVersion version) {
            if (version.number() <= shown) {
                lag.recordValue(0);
            } else {
                answeredNanos.put(version.number(), System.nanoTime());
            }
        }

        @Override
        public synchronized void advanced(CellView view) {
            shown = view.version().number();
            Map<Long, Long> seen = answeredNanos.headMap(shown, true);
            long now = System.nanoTime();
            seen.values().forEach(nanos -> lag.recordValue(now - nanos));
            seen.clear();
        }

        @Override
        public void replaced(CellView view) {
            advanced(view);
        }

        @Override
        public TouchedRows touchedRows() {
            return this;
        }

        @Override
        public void close() {
            replica.close();
            thread.shutdownNow();
        }
    }
}
