package dev.cella.agent;

import dev.cella.agent.federation.HomeRun;
import dev.cella.agent.federation.MemberLogs;
import dev.cella.agent.federation.TwinRunner;
import dev.cella.agent.keeper.OwnFiles;
import dev.cella.agent.logs.LogServer;
import dev.cella.agent.reconciler.Adopted;
import dev.cella.agent.reconciler.AgentEvent;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.client.live.AgentConnection;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.PrivateReplica;
import dev.cella.client.live.ReplicaListener;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent that offers a whole cell to another one, its home: there the cell is one machine, with the capacity of all its
 * machines, and each task on it is a job of the member cell.
 *
 * <p>All of an agent's rules apply: a machine that is not heard of is given up with its tasks, and a machine that comes back
 * stops what its home does not show on it. The member cell needs to know nothing of its home.
 *
 * <p>It registers once it has seen both cells. A cell that is away at the start is waited for.
 */
public final class CellAgent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CellAgent.class);

    /** The machine's attribute that says which history of its cell it stands for. */
    public static final String INCARNATION = "cell.incarnation";

    private final CellAgentOptions options;
    private final AgentLoop loop = new AgentLoop();
    private final AgentClock clock = AgentClock.system();
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final OpenedParts opened = new OpenedParts();
    private final CompletableFuture<String> registered = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private volatile Optional<Incarnation> homeIncarnation = Optional.empty();
    private Optional<Parts> parts = Optional.empty();

    /** The parts that exist once it is open. */
    private record Parts(TwinRunner runner, PrivateReplica home, AgentSurroundings around) {}

    private CellAgent(CellAgentOptions options) {
        this.options = options;
    }

    /**
     * Starts an agent.
     *
     * @throws IOException if the data directory or the port for output cannot be used
     */
    public static CellAgent start(CellAgentOptions options) throws IOException {
        CellAgent agent = new CellAgent(options);
        try {
            agent.open();
            return agent;
        } catch (IOException | RuntimeException failure) {
            agent.close();
            throw failure;
        }
    }

    private void open() throws IOException {
        String bootId = UUID.randomUUID().toString();
        var unused = loop.failed().thenAccept(failed::complete);
        OwnFiles.createDirectories(options.dataDirectory());
        opened.add(DataLock.take(options.dataDirectory()));
        CellConnection homeConnection = opened.add(CellConnection.open(options.home()));
        CellConnection memberConnection = opened.add(CellConnection.open(options.member()));
        MemberLogs logs = opened.add(new MemberLogs(options.member(), () -> homeIncarnation));
        NodeAgentOptions asNode = options.asNode(MachineOptions.cell("cell", Map.of()));
        LogServer logServer = opened.add(LogServer.start(options.logAddress(), logs, asNode.ownTls()));
        SplittableRandom random = new SplittableRandom(options.seed());
        Hosts hosts = new Hosts(machines.keySet());
        RunEstimates estimates = new RunEstimates();
        ShownMachines shown = new ShownMachines(loop, machines, hosts, estimates);
        PrivateReplica home = opened.add(
                new PrivateReplica(homeConnection, loop, Backoff.standard(random.split()), new HomeView(shown)));
        AgentConnection cell = new AgentConnection(homeConnection);
        AgentSurroundings around = new AgentSurroundings(
                loop,
                clock,
                options.lease().toMillis(),
                new Registrar(loop, cell, asNode, bootId, logServer.address(), failed::complete),
                new Specifications(loop, cell, home::view),
                new ReportOutbox(loop, cell::report, clock),
                hosts,
                new StartOutbox(loop, cell),
                new QueueWaits(estimates),
                home::view);
        TwinRunner runner = opened.add(new TwinRunner(
                loop,
                memberConnection,
                new HomeJobs(home, around.specifications()),
                options.patience().toMillis(),
                clock::nowMillis,
                random.split(),
                this::memberMoved));
        loop.handOver(() -> parts = Optional.of(new Parts(runner, home, around)));
        new LeaseKeeper(loop, clock, cell, machines.values(), opened.add(new UsageReports()))
                .start(options.lease().toMillis());
        home.start();
        runner.follow();
    }

    /** What a runner asks of the home, answered from the agent's copy. */
    private record HomeJobs(PrivateReplica home, Specifications specifications) implements TwinRunner.Home {
        @Override
        public Incarnation incarnation() {
            return home.view().incarnation();
        }

        @Override
        public Optional<HomeRun> run(Assignment assignment) {
            TaskId task = assignment.task();
            Optional<GroupRow> row = home.view()
                    .job(task.job())
                    .filter(job -> task.group() < job.groups().size())
                    .map(job -> job.group(task.group()));
            return specifications
                    .find(incarnation(), task.job(), assignment.generation())
                    .flatMap(job -> row.flatMap(group -> HomeRun.of(job, group, task.index())));
        }
    }

    /** Learns which history of the home it is, besides what every agent does with a view. */
    private final class HomeView implements ReplicaListener {
        private final ShownMachines shown;

        HomeView(ShownMachines shown) {
            this.shown = shown;
        }

        @Override
        public void replaced(CellView view) {
            homeIncarnation = Optional.of(view.incarnation());
            begin();
            shown.replaced(view);
        }

        @Override
        public TouchedRows touchedRows() {
            return shown;
        }

        @Override
        public void advanced(CellView view) {
            shown.advanced(view);
        }
    }

    // ---- the machine

    private void memberMoved(CellView member) {
        begin();
        machines.values().forEach(machine -> machine.offer(capacity(member), attributes(member)));
    }

    /** Once both cells are known. */
    private void begin() {
        Parts open = parts.orElseThrow();
        CellView member = open.runner().view();
        CellView home = open.home().view();
        if (!machines.isEmpty() || ended.isDone() || !member.isFounded() || !home.isFounded()) {
            return;
        }
        String name = options.name().orElse("cell-" + name(member));
        Optional<String> refused = refused(name, home, member);
        if (refused.isPresent()) {
            LOG.error("machine={} event=not-offered: {}", name, refused.get());
            ended.complete(refused.get());
            return;
        }
        MachineOptions as = MachineOptions.cell(name, capacity(member));
        Machine machine = new Machine(
                as,
                attributes(member),
                open.runner(),
                KeptRegistration.read(options.dataDirectory(), name),
                open.around());
        machines.put(name, machine);
        List<Adopted> adopted = open.runner().adopt(machine);
        LOG.info("machine={} cell={} event=offers adopts={}", name, options.member(), adopted.size());
        machine.adopt(adopted);
        var unused = machine.firstRegistered().thenRun(() -> registered.complete(name));
        machine.on(new AgentEvent.Begun());
    }

    private Optional<String> refused(String name, CellView home, CellView member) {
        if (home.incarnation().equals(member.incarnation())) {
            return Optional.of(
                    "the cell at " + options.member() + " is the home itself, and cannot be its own machine");
        }
        String incarnation = member.incarnation().toString();
        return IntStream.range(0, home.machineSlots())
                .filter(slot -> home.machineExists(slot)
                        && home.status(slot) != MachineStatus.DOWN
                        && !home.machineName(slot).equals(name)
                        && incarnation.equals(home.attributes(slot).get(INCARNATION)))
                .mapToObj(slot -> "the cell at " + options.member() + " is machine " + home.machineName(slot)
                        + " of its home already, and would count twice as " + name)
                .findFirst();
    }

    private static String name(CellView cell) {
        return cell.name().map(CellName::toString).orElse(cell.incarnation().toString());
    }

    private static Map<String, String> attributes(CellView member) {
        return Map.of(
                TwinRunner.CELL_ATTRIBUTE,
                name(member),
                INCARNATION,
                member.incarnation().toString());
    }

    /** The sum over the member's ready machines. Sets have members, which would mean nothing in another cell. */
    private static Map<String, Long> capacity(CellView member) {
        Dimensions dimensions = member.dimensions();
        Map<String, Long> sums = new TreeMap<>();
        for (int place = 0; place < dimensions.size(); place++) {
            if (!dimensions.isSet(place)) {
                sums.put(dimensions.nameAt(place), sum(member, place));
            }
        }
        return sums;
    }

    private static long sum(CellView member, int dimension) {
        return IntStream.range(0, member.machineSlots())
                .filter(slot -> member.isReady(slot) && !member.attributes(slot).containsKey(TwinRunner.CELL_ATTRIBUTE))
                .mapToLong(slot -> member.capacity(slot, dimension))
                .sum();
    }

    // ---- for its owner

    /** Completes with the machine's name when the home has registered it. */
    public CompletableFuture<String> registered() {
        return registered.copy();
    }

    /** Completes with the reason if it cannot offer the cell. The caller must still close it. */
    public CompletableFuture<String> ended() {
        return ended.copy();
    }

    /** Completes with the reason if it cannot go on. The caller must still close it. */
    public CompletableFuture<String> failed() {
        return failed.copy();
    }

    /** Leaves the tasks running for the next agent of this data directory. The home waits for one lease. */
    @Override
    public void close() {
        loop.stop();
        opened.close();
        loop.shutdownNow();
    }
}
