package dev.cella.chaos.processes;

import dev.cella.chaos.history.History;
import dev.cella.client.CellAddresses;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.PrivateReplica;
import dev.cella.client.live.ReplicaListener;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One private replica for each server, as schedulers have them. They write down each step with the digest of their copy. One
 * thread of its own owns all.
 */
final class FeedWatchers implements AutoCloseable {
    private static final long CLOSE_SECONDS_MAX = 5;

    private final ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "feed watchers");
        thread.setDaemon(true);
        return thread;
    });
    private final List<History.FeedStep> steps = new ArrayList<>();
    private final List<CellConnection> connections = new ArrayList<>();
    private final List<PrivateReplica> replicas = new ArrayList<>();

    /**
     * @param clock nanoseconds since the run began
     */
    FeedWatchers(CellAddresses servers, LongSupplier clock) {
        for (int place = 0; place < servers.count(); place++) {
            List<URI> turned = new ArrayList<>(servers.all());
            Collections.rotate(turned, -place);
            CellConnection connection = CellConnection.open(new CellAddresses(turned, servers.access()));
            connections.add(connection);
            replicas.add(new PrivateReplica(
                    connection,
                    owner,
                    Backoff.standard(new Random(place)),
                    new Watcher("watcher-" + (place + 1), clock)));
        }
        replicas.forEach(PrivateReplica::start);
    }

    private final class Watcher implements ReplicaListener {
        private final String name;
        private final LongSupplier clock;
        private long at;

        Watcher(String name, LongSupplier clock) {
            this.name = name;
            this.clock = clock;
        }

        @Override
        public void replaced(CellView view) {
            note(view, true);
        }

        @Override
        public TouchedRows touchedRows() {
            return new TouchedRows() {};
        }

        @Override
        public void advanced(CellView view) {
            note(view, false);
        }

        private void note(CellView view, boolean replaced) {
            long to = view.version().number();
            steps.add(new History.FeedStep(name, clock.getAsLong(), at, to, view.digest(), replaced));
            at = to;
        }
    }

    /** Leaves the feeds; the steps are complete then. */
    @Override
    public void close() {
        replicas.forEach(PrivateReplica::close);
        owner.shutdown();
        try {
            if (!owner.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                owner.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            owner.shutdownNow();
            Thread.currentThread().interrupt();
        }
        connections.forEach(CellConnection::close);
    }

    /** The steps that they saw, once they are closed. */
    List<History.FeedStep> steps() {
        return steps;
    }
}
