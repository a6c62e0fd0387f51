package dev.cella.cli.demo;

import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.cli.part.Parts;
import dev.cella.cli.plugin.Replays;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetConflictsRequest;
import dev.cella.client.proto.ListConflictsRequest;
import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.SchedulerConflicts;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.core.Departure;
import dev.cella.state.core.StartRefusedException;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * The demo's cell in this process: a server, an agent for the lasting machines and another for the one that is lost, and the
 * schedulers. As in {@code cella dev}, each part knows only the server's address.
 */
final class DemoCell {
    private static final CellName NAME = new CellName("demo");
    private static final String HOST = "127.0.0.1";
    private static final byte[] HOST_BYTES = {127, 0, 0, 1};
    private static final long FREE_BYTES_MIN = 256L << 20;

    /** On a machine with one slow and busy core, half a minute was not enough. */
    private static final long REGISTERED_SECONDS_MAX = 120;

    private static final int LOST_CLAIMS = 50;
    private static final Duration SAME_VERSION_MAX = Duration.ofSeconds(10);
    private static final long SAME_VERSION_PAUSE_MILLIS = 3;

    private final CellServer server;
    private final HttpCell client;
    private final NodeAgent lostAgent;
    private final Map<String, LiveScheduler<?>> schedulers;

    private DemoCell(CellServer server, NodeAgent lostAgent, Map<String, LiveScheduler<?>> schedulers) {
        this.server = server;
        this.client = new HttpCell(URI.create(server.address()));
        this.lostAgent = lostAgent;
        this.schedulers = schedulers;
    }

    /** The server alone: at the requested port, or at any port if that one is taken. */
    static CellServer startServer(Path data, int port, Departure departure, Parts parts) throws Exception {
        CellServerOptions options = CellServerOptions.defaults(data)
                .withCell(NAME)
                .withBeside(Set.of("demo.log"))
                .withFreeBytesMin(FREE_BYTES_MIN)
                .withReplay(Replays.of(List.of()));
        InetAddress host = InetAddress.getByAddress(HOST, HOST_BYTES);
        return parts.start(() -> {
            try {
                return CellServer.start(options.withAddress(host, port), departure);
            } catch (StartRefusedException refused) {
                if (refused.why() != StartRefusedException.Why.PORT_IN_USE) {
                    throw refused;
                }
                return CellServer.start(options.withAddress(host, 0), departure);
            }
        });
    }

    /** Starts machines and schedulers. Returns when the cell knows its machines. */
    static DemoCell start(CellServer server, Path data, RandomGenerator random, Parts parts) throws Exception {
        URI address = URI.create(server.address());
        List<MachineOptions> lasting = machines(DemoScript.lastingMachines());
        NodeAgentOptions many = NodeAgentOptions.of(address, lasting.get(0), data.resolve("agent"), random.nextLong())
                .withMachines(lasting.subList(1, lasting.size()));
        NodeAgentOptions one = NodeAgentOptions.of(
                        address,
                        machines(List.of(DemoScript.LOST_MACHINE)).get(0),
                        data.resolve("agent-lost"),
                        random.nextLong())
                .withLease(DemoScript.LOST_LEASE);
        NodeAgent agent = parts.start(() -> NodeAgent.start(many));
        NodeAgent lostAgent = parts.start(() -> NodeAgent.start(one));
        awaitRegistered(agent);
        awaitRegistered(lostAgent);
        Map<String, LiveScheduler<?>> schedulers = new LinkedHashMap<>();
        for (DemoScript.Planner planner : DemoScript.PLANNERS) {
            long seed = random.nextLong();
            schedulers.put(planner.name(), parts.start(() -> startScheduler(planner, address, seed, parts)));
        }
        return new DemoCell(server, lostAgent, schedulers);
    }

    private static List<MachineOptions> machines(List<String> names) {
        return names.stream()
                .map(name -> MachineOptions.hollow(name, DemoScript.CAPACITY))
                .toList();
    }

    private static LiveScheduler<?> startScheduler(DemoScript.Planner planner, URI address, long seed, Parts parts) {
        SchedulerProvider type = SchedulerTypes.installed().find(planner.kind()).orElseThrow();
        LiveScheduler<?> scheduler = LiveScheduler.start(
                LiveSchedulerOptions.of(address, planner.name(), planner.kind(), "demo", seed)
                        .withDecisionTime(planner.thinks()),
                type.create(SchedulerOptions.of(type.options(), planner.options())));
        parts.endWith(scheduler.ended(), "");
        return scheduler;
    }

    private static void awaitRegistered(NodeAgent agent) throws InterruptedException {
        try {
            agent.registered().get(REGISTERED_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw CommandFailure.failed(
                    "the cell does not know its machines after " + REGISTERED_SECONDS_MAX + " s", "try it again");
        }
    }

    URI address() {
        return URI.create(server.address());
    }

    /** The cell's counts of each scheduler's conflicts, with the scheduler's own busy fraction. */
    List<Contention> contention() {
        Map<String, SchedulerConflicts> counted = new HashMap<>();
        client.getConflicts(GetConflictsRequest.getDefaultInstance())
                .getSchedulersList()
                .forEach(of -> counted.put(of.getName(), of));
        List<Contention> all = new ArrayList<>();
        schedulers.forEach((name, scheduler) -> all.add(Contention.of(
                name,
                counted.getOrDefault(name, SchedulerConflicts.getDefaultInstance()),
                scheduler.status().join().map(LoopStatus::busyFraction))));
        return all;
    }

    /** The newest lost claims, with the later fate of their tasks. */
    List<LostClaim> lostClaims() {
        return client.listConflicts(
                        ListConflictsRequest.newBuilder().setLimit(LOST_CLAIMS).build())
                .getConflictsList();
    }

    /** Silences one machine, as a cut cable does: its agent says nothing more. */
    void loseMachine() {
        lostAgent.close();
    }

    /** A version, and the digest of a copy of the cell at it. */
    private record Place(long version, long digest) {
        static Place of(CellView view) {
            return new Place(view.version().number(), view.digest());
        }
    }

    /**
     * The one digest of the store and of every scheduler's private replica, all read until they show the same version; empty
     * if two differ at one version.
     */
    Optional<String> digest() throws InterruptedException, IOException {
        long giveUp = System.nanoTime() + SAME_VERSION_MAX.toNanos();
        while (System.nanoTime() < giveUp) {
            List<Place> places = places();
            if (places.stream().mapToLong(Place::version).distinct().count() == 1) {
                OptionalLong digest =
                        places.stream().mapToLong(Place::digest).reduce((one, other) -> one == other ? one : 0);
                return digest.getAsLong() == 0 ? Optional.empty() : Optional.of(shown(digest.getAsLong()));
            }
            Thread.sleep(SAME_VERSION_PAUSE_MILLIS);
        }
        throw new IOException("the copies of the cell did not come to one version within " + SAME_VERSION_MAX);
    }

    private List<Place> places() {
        List<CompletableFuture<Place>> asked = new ArrayList<>();
        schedulers.values().forEach(scheduler -> asked.add(scheduler.read(Place::of)));
        List<Place> places =
                new ArrayList<>(asked.stream().map(CompletableFuture::join).toList());
        places.add(server.read(Place::of));
        return places;
    }

    private static String shown(long digest) {
        return String.format("%016x", digest).substring(0, 8);
    }
}
