package dev.cella.state;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Departure;
import dev.cella.state.core.ListenAddress;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.state.ratis.RatisLog;
import dev.cella.state.web.FoundingDoor;
import dev.cella.state.web.WebServer;
import dev.cella.transactions.cell.CellView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** A server of a cell: a data directory, a replica on it, and its doors on one port. */
public final class CellServer implements AutoCloseable {
    private static final long READY_SECONDS_MAX = 60;

    private final DataDirectory directory;
    private final EmbeddedReplica replica;
    private final WebServer web;
    private final FirstToken firstToken;
    private final OlderCopyWatch olderCopyWatch;
    private final String address;

    private CellServer(
            DataDirectory directory,
            EmbeddedReplica replica,
            WebServer web,
            FirstToken firstToken,
            OlderCopyWatch olderCopyWatch) {
        this.directory = directory;
        this.replica = replica;
        this.web = web;
        this.firstToken = firstToken;
        this.olderCopyWatch = olderCopyWatch;
        this.address = web.address();
    }

    /**
     * Starts a server and returns when the doors are open. By then a lone replica leads its cell. One of several replicas may
     * have to wait for the others; {@code /readyz} tells when it can be used.
     *
     * @param departure how the process ends if the replica cannot go on
     */
    public static CellServer start(CellServerOptions options, Departure departure)
            throws IOException, StartRefusedException, InterruptedException {
        checkPorts(options);
        DataDirectory directory = DataDirectory.open(
                options.data(), options.cell(), options.freeBytesMin(), UUID.randomUUID(), options.beside());
        try {
            return start(directory, options, departure);
        } catch (IOException | StartRefusedException | InterruptedException | RuntimeException failure) {
            close(directory, failure);
            throw failure;
        }
    }

    /** Runs before anything is written: a taken port is the most frequent reason not to start. */
    private static void checkPorts(CellServerOptions options) throws IOException, StartRefusedException {
        checkPort(options);
        Membership membership = options.replica().membership();
        Optional<Member> own = membership.find(membership.self());
        if (own.isPresent()) {
            RatisLog.checkPort(own.get().log());
        }
    }

    private static void checkPort(CellServerOptions options) throws IOException, StartRefusedException {
        new ListenAddress(
                        new InetSocketAddress(options.host(), options.port()),
                        Why.PORT_IN_USE,
                        "use what runs there, or choose another port; 0 takes any")
                .check();
    }

    private static CellServer start(DataDirectory directory, CellServerOptions options, Departure departure)
            throws IOException, StartRefusedException, InterruptedException {
        Membership membership = options.replica().membership();
        directory.checkBelongsTo(membership);
        if (directory.identity().isOfACell()) {
            new FoundingRound(directory, membership, options.access().security().tls()).checkIsStillMember();
        }
        Begun begun = directory.isBegun(membership)
                ? Begun.begin(directory, options, departure)
                : foundWithOthers(directory, options, departure);
        try {
            if (membership.isAlone() && directory.identity().peers().size() <= 1) {
                awaitReady(begun.replica);
            }
            orPortInUse(options, begun::openDoors);
            directory.announce(begun.doors.address());
            FirstToken firstToken = makeFirstToken(begun.replica, directory, options);
            OlderCopyWatch watch = new OlderCopyWatch(
                    directory,
                    begun.replica.replica().log(),
                    membership,
                    options.access().security().tls(),
                    departure);
            watch.start();
            return new CellServer(directory, begun.replica, begun.doors, firstToken, watch);
        } catch (IOException | StartRefusedException | InterruptedException | RuntimeException failure) {
            close(begun.doors, failure);
            close(begun.replica, failure);
            throw failure;
        }
    }

    private static FirstToken makeFirstToken(
            EmbeddedReplica replica, DataDirectory directory, CellServerOptions options)
            throws IOException, InterruptedException {
        Access access = options.access();
        Path file = access.firstToken().orElse(directory.path().resolve("token"));
        FirstToken firstToken = new FirstToken(replica.replica(), access, file);
        if (!access.security().closed()) {
            return firstToken;
        }
        if (options.replica().membership().isAlone()
                && directory.identity().peers().size() <= 1) {
            firstToken.make();
        } else {
            firstToken.makeInBackground();
        }
        return firstToken;
    }

    /**
     * Founds the cell together with the other replicas. Some of them may still wait for this one's answer while its replica
     * starts, so the door stays open until then.
     */
    private static Begun foundWithOthers(DataDirectory directory, CellServerOptions options, Departure departure)
            throws IOException, StartRefusedException, InterruptedException {
        FoundingDoor door = orPortInUse(options, () -> FoundingDoor.open(directory, options.web()));
        try {
            new FoundingRound(
                            directory,
                            options.replica().membership(),
                            options.access().security().tls())
                    .await();
            return Begun.begin(directory, options, departure);
        } finally {
            door.close();
        }
    }

    /**
     * A replica that follows its log, and its doors, which are made but closed.
     *
     * <p>Making the doors takes about as long as loading the checkpoint and opening the log, and needs neither. So a separate
     * thread does it at the same time. During the replay of the log it would take a processor from the replay's compilers.
     */
    private record Begun(EmbeddedReplica replica, WebServer doors) {
        static Begun begin(DataDirectory directory, CellServerOptions options, Departure departure)
                throws IOException, StartRefusedException {
            EmbeddedReplica replica = new EmbeddedReplica(directory, options.replica(), departure);
            CompletableFuture<WebServer> doors = CompletableFuture.supplyAsync(
                    () -> new WebServer(replica.replica(), replica.time(), directory, options.web()),
                    making -> new Thread(making, "cell-doors").start());
            try {
                replica.start();
            } catch (IOException | StartRefusedException | RuntimeException failure) {
                close(doors.join(), failure);
                throw failure;
            }
            try {
                return new Begun(replica, doors.join());
            } catch (CompletionException failure) {
                close(replica, failure);
                throw failure;
            }
        }

        WebServer openDoors() {
            doors.open();
            return doors;
        }
    }

    private static void awaitReady(EmbeddedReplica replica) throws IOException, InterruptedException {
        try {
            replica.replica().ready().get(READY_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IOException("the cell has no leader after " + READY_SECONDS_MAX + " s", failure);
        }
    }

    /**
     * Another process may have taken the port since the first check. The transports report that in different ways, so this
     * checks the port again.
     */
    static <D> D orPortInUse(CellServerOptions options, Supplier<D> doors) throws IOException, StartRefusedException {
        try {
            return doors.get();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof IOException) {
                checkPort(options);
            }
            throw failure;
        }
    }

    private static void close(AutoCloseable part, Exception because) {
        try {
            part.close();
        } catch (Exception failure) {
            because.addSuppressed(failure);
        }
    }

    /** {@code http://host:port}, with the port that is in use. */
    public String address() {
        return address;
    }

    /**
     * Evaluates a short function on one version of the cell as this server has it. The result must not refer to the view.
     */
    public <T> T read(Function<? super CellView, ? extends T> question) {
        return replica.replica().read(question);
    }

    /** Hands over if this replica leads, closes the doors, then the replica, then releases the directory, within six seconds. */
    @Override
    public void close() throws IOException {
        firstToken.close();
        olderCopyWatch.close();
        replica.replica().leave();
        try (directory;
                replica) {
            web.close();
        }
    }
}
