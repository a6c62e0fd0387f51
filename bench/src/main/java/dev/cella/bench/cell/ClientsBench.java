package dev.cella.bench.cell;

import dev.cella.client.access.CellAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A closed server with many clients: idle connections over TLS, and watchers of the feed while the cell commits. The memory is
 * that of the server's process.
 *
 * <p>A server gives one address at most half of its connections, and closes a connection that has been idle for a minute.
 * So the clients come from several addresses of the loopback, and each asks again before that minute is over.
 */
public final class ClientsBench {
    /** Those that put the machines, commit and ask. */
    private static final int OTHER_CLIENTS = 100;

    private static final int ADDRESSES = 8;
    private static final int OPENED_AT_ONCE = 16;
    private static final int MACHINES = 500;
    private static final int WATCHED_SECONDS = 10;

    /** Each goes to every watcher. */
    private static final int PLACEMENTS_PER_SECOND = 20;

    private ClientsBench() {}

    /**
     * The results.
     *
     * @param alone the memory before the first client
     * @param idle with the idle connections
     * @param watched with the watchers too, after the cell has committed for a while
     * @param answered idle connections that were answered again at the end
     * @param following watchers that got bytes of the feed until the end
     * @param pauseMillis the longest time in which no commit was answered while all watched
     */
    public record Report(
            Conditions conditions,
            int connections,
            int watchers,
            Memory alone,
            Memory idle,
            Memory watched,
            int answered,
            int following,
            double pauseMillis) {}

    /** The resident memory of the server, now and at most until now. */
    public record Memory(double mib, double mibMax) {}

    /**
     * The files that a server must be allowed to open for that many clients: it uses three quarters of its files for connections,
     * and an eighth of those is for the cell's own parts.
     */
    public static long filesNeeded(int clients) {
        return (clients + OTHER_CLIENTS) * 4L / 3 * 8 / 7;
    }

    public static Report run(Servers servers, int connections, int watchers) throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers.asClosed());
                Clients clients = new Clients(cell)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(MACHINES);
            Memory alone = cell.leading().memory();
            clients.connect(connections);
            Memory idle = cell.leading().memory();
            clients.watch(watchers);
            try (CommitWatch commits = new CommitWatch(cell, MACHINES, 1, PLACEMENTS_PER_SECOND)) {
                commits.start();
                int answered = clients.askAgain();
                commits.begin();
                clients.forgetBytes();
                TimeUnit.SECONDS.sleep(WATCHED_SECONDS);
                return new Report(
                        conditions,
                        connections,
                        watchers,
                        alone,
                        idle,
                        cell.leading().memory(),
                        answered,
                        clients.following(),
                        commits.pauseMillis());
            }
        }
    }

    /** All of them. Connections are opened and asked by a few threads; each watcher has a thread that reads. */
    private static final class Clients implements AutoCloseable {
        private final URI server;
        private final CellAccess access;
        private final ExecutorService askers = Executors.newFixedThreadPool(OPENED_AT_ONCE);
        private final List<BareClient> idle = new ArrayList<>();
        private final List<Watcher> watchers = new ArrayList<>();

        Clients(BenchedCell cell) {
            this.server = cell.addresses().first();
            this.access = cell.addresses().access();
        }

        void connect(int count) throws IOException, InterruptedException {
            List<Callable<BareClient>> tasks = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                InetAddress from = address(number);
                tasks.add(() -> {
                    BareClient client = BareClient.connect(server, access, from);
                    ask(client);
                    return client;
                });
            }
            idle.addAll(all(tasks));
        }

        private static InetAddress address(int number) throws IOException {
            return InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) (1 + number % ADDRESSES)});
        }

        private int ask(BareClient client) throws IOException {
            client.write(BareClient.get("/healthz", server, access));
            return client.readStatus();
        }

        private <T> List<T> all(List<Callable<T>> tasks) throws IOException, InterruptedException {
            List<T> done = new ArrayList<>();
            for (Future<T> future : askers.invokeAll(tasks)) {
                try {
                    done.add(future.get());
                } catch (ExecutionException failure) {
                    throw new IOException(
                            "only " + done.size() + " of " + tasks.size()
                                    + " connections stood; ulimit -n may be too low",
                            failure.getCause());
                }
            }
            return done;
        }

        /** How many connections are answered on. */
        int askAgain() throws IOException, InterruptedException {
            AtomicInteger answered = new AtomicInteger();
            all(idle.stream()
                    .<Callable<Boolean>>map(client -> () -> {
                        try {
                            return ask(client) == 200 && answered.incrementAndGet() > 0;
                        } catch (IOException closed) {
                            return false;
                        }
                    })
                    .toList());
            return answered.get();
        }

        void watch(int count) throws IOException {
            for (int number = 0; number < count; number++) {
                Watcher watcher = new Watcher(BareClient.connect(server, access, address(number)));
                watcher.client.write(BareClient.get("/v1/feed", server, access));
                watcher.start();
                watchers.add(watcher);
            }
        }

        void forgetBytes() {
            watchers.forEach(watcher -> watcher.heard.set(false));
        }

        int following() {
            return (int)
                    watchers.stream().filter(watcher -> watcher.heard.get()).count();
        }

        @Override
        public void close() throws IOException {
            askers.shutdownNow();
            for (BareClient client : idle) {
                client.close();
            }
            for (Watcher watcher : watchers) {
                watcher.client.close();
            }
        }
    }

    /** Reads the feed and drops it. */
    private static final class Watcher {
        private static final int STACK_BYTES = 256 << 10;

        private final BareClient client;
        private final AtomicBoolean heard = new AtomicBoolean();

        Watcher(BareClient client) {
            this.client = client;
        }

        void start() {
            Thread thread = new Thread(null, this::read, "watcher", STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
        }

        private void read() {
            byte[] bytes = new byte[8 << 10];
            try {
                InputStream in = client.in();
                while (in.read(bytes) > 0) {
                    heard.set(true);
                }
            } catch (IOException closed) {
                // It is not counted among those that follow.
            }
        }
    }
}
