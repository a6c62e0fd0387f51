package dev.cella.agent;

import dev.cella.agent.keeper.Keeper;
import dev.cella.agent.keeper.OwnFiles;
import dev.cella.agent.logs.LogServer;
import dev.cella.agent.logs.OutputStore;
import dev.cella.agent.machine.Devices;
import dev.cella.agent.reconciler.Adopted;
import dev.cella.agent.reconciler.AgentEvent;
import dev.cella.agent.reconciler.IsolationLevel;
import dev.cella.agent.runner.HollowRunner;
import dev.cella.agent.runner.Isolation;
import dev.cella.agent.runner.ProcessRunner;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.client.live.AgentConnection;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.PrivateReplica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent: represents one machine or many, runs what the cell places on them, and reports the results.
 *
 * <p>All machines of an agent share one replica of the cell, or of the part that concerns them if they are few, one thread with its timers, one connection, one keeper and one
 * port for output; renewals and reports are sent together. So a hollow machine costs a row and a reconciler.
 *
 * <p>An agent with the same name that starts later takes the machine over. This one then stops its tasks and stays idle.
 */
public final class NodeAgent implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(NodeAgent.class);

    /** An agent of more machines follows the whole cell, because most changes concern one of them. */
    private static final int MACHINES_OF_A_PART_MAX = 8;

    /** The attribute of a machine that can begin no task: why its disk takes no files. */
    static final String DISK_FULL = "disk.full";

    private static final long LOOK_FOR_ROOM_MILLIS = 2_000;

    private final AgentLoop loop = new AgentLoop();
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final OpenedParts opened = new OpenedParts();
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private Optional<Isolation> isolation = Optional.empty();
    private Optional<Keeper> keeper = Optional.empty();

    private NodeAgent() {}

    /**
     * Starts an agent, which registers its machines as soon as the cell answers.
     *
     * @throws IOException if this machine cannot run tasks, or not as that user, or if the data directory cannot be used
     */
    public static NodeAgent start(NodeAgentOptions options) throws IOException, InterruptedException {
        NodeAgent agent = new NodeAgent();
        try {
            agent.open(options);
            return agent;
        } catch (IOException | InterruptedException | RuntimeException failure) {
            agent.close();
            throw failure;
        }
    }

    private void open(NodeAgentOptions options) throws IOException, InterruptedException {
        failWith(loop.failed());
        String bootId = UUID.randomUUID().toString();
        prepare(options.dataDirectory());
        opened.add(DataLock.take(options.dataDirectory()));
        if (options.hasRealMachine()) {
            keeper = Optional.of(openKeeper(options));
            failWith(keeper.get().failed());
        }
        OutputStore outputs = openOutputs(options);
        CellConnection connection = opened.add(CellConnection.open(options.cell()));
        LogServer logServer = opened.add(LogServer.start(options.logAddress(), outputs, options.ownTls()));
        HollowRunner hollow = opened.add(hollowRunner(options));
        Optional<ProcessRunner> processes = keeper.isPresent()
                ? Optional.of(processRunner(options, keeper.get(), outputs, bootId))
                : Optional.empty();
        Hosts hosts = new Hosts(machines.keySet());
        RunEstimates estimates = new RunEstimates();
        ShownMachines shown = new ShownMachines(loop, machines, hosts, estimates);
        Backoff backoff = Backoff.standard(new SplittableRandom(options.seed()));
        PrivateReplica replica = opened.add(new PrivateReplica(connection, loop, backoff, shown));
        if (options.machines().size() <= MACHINES_OF_A_PART_MAX) {
            replica.followOnly(
                    options.machines().stream().map(MachineOptions::name).toList());
        }
        AgentConnection cell = new AgentConnection(connection);
        AgentClock clock = AgentClock.system();
        AgentSurroundings around = new AgentSurroundings(
                loop,
                clock,
                options.lease().toMillis(),
                new Registrar(loop, cell, options, bootId, logServer.address(), failed::complete),
                new Specifications(loop, cell, replica::view),
                new ReportOutbox(loop, cell::report, clock),
                hosts,
                new StartOutbox(loop, cell),
                new QueueWaits(estimates),
                replica::view);
        for (MachineOptions machine : options.machines()) {
            boolean isReal = machine.kind() == MachineOptions.MachineKind.REAL && processes.isPresent();
            TaskRunner runner = isReal ? processes.get() : hollow;
            Optional<KeptRegistration> earlier =
                    isReal ? KeptRegistration.read(options.dataDirectory(), machine.name()) : Optional.empty();
            machines.put(machine.name(), new Machine(machine, attributes(machine), runner, earlier, around));
        }
        logger.info("agent boot={} machines={} logs={}", bootId, machines.size(), logServer.address());
        replica.start();
        UsageReports usage = opened.add(new UsageReports());
        processes.ifPresent(usage::begin);
        new LeaseKeeper(loop, clock, cell, machines.values(), usage)
                .start(options.lease().toMillis());
        processes.ifPresent(runner -> offerWhatHasRoom(options, runner));
        processes.ifPresent(this::adopt);
        loop.handOver(() -> machines.values().forEach(machine -> machine.on(new AgentEvent.Begun())));
    }

    /** A machine that can begin no task offers nothing, so that the cell places none there. Its running tasks go on. */
    private void offerWhatHasRoom(NodeAgentOptions options, ProcessRunner processes) {
        processes.onRoomChange(() -> loop.handOver(() -> options.machines().stream()
                .filter(machine -> machine.kind() == MachineOptions.MachineKind.REAL)
                .forEach(machine -> offer(machine, processes.whyNoRoom()))));
        processes.lookForRoom();
        loop.repeat(LOOK_FOR_ROOM_MILLIS, processes::lookForRoom);
    }

    private void offer(MachineOptions whole, Optional<String> whyNoRoom) {
        Map<String, String> saying = attributes(whole);
        whyNoRoom.ifPresent(why -> saying.put(DISK_FULL, why));
        Optional.ofNullable(machines.get(whole.name()))
                .ifPresent(machine -> machine.offer(whyNoRoom.isPresent() ? Map.of() : whole.capacity(), saying));
    }

    private void failWith(CompletableFuture<String> part) {
        var unused = part.thenAccept(failed::complete);
    }

    /** Adopts what an earlier agent left, before any other event. */
    private void adopt(ProcessRunner processes) {
        for (Machine machine : machines.values()) {
            if (machine.options().kind() == MachineOptions.MachineKind.REAL) {
                List<Adopted> adopted = processes.adopt(machine.options().name(), machine);
                logger.info(
                        "machine={} event=adopts attempts={}", machine.options().name(), adopted.size());
                loop.handOver(() -> machine.adopt(adopted));
            }
        }
        processes.begin();
    }

    private static void prepare(Path dataDirectory) throws IOException {
        try {
            OwnFiles.createDirectories(dataDirectory);
        } catch (IOException failure) {
            throw new IOException("cannot keep the tasks' output in " + dataDirectory + ": " + failure, failure);
        }
    }

    private static OutputStore openOutputs(NodeAgentOptions options) throws IOException {
        Path folder = options.dataDirectory().resolve("attempts");
        try {
            return OutputStore.open(folder, options.outputLimits());
        } catch (IOException failure) {
            throw new IOException("cannot keep the tasks' output in " + folder + ": " + failure, failure);
        }
    }

    private HollowRunner hollowRunner(NodeAgentOptions options) {
        return new HollowRunner(loop, hollowRuntimeMillis(options), options.seed());
    }

    /** A time longer than any run counts as forever. */
    private static long hollowRuntimeMillis(NodeAgentOptions options) {
        boolean isForever = options.hollowRuntime().compareTo(NodeAgentOptions.FOREVER) >= 0;
        return isForever ? HollowRunner.FOREVER_MILLIS : options.hollowRuntime().toMillis();
    }

    private Keeper openKeeper(NodeAgentOptions options) throws IOException, InterruptedException {
        Isolation detected = Isolation.detect(options.taskUser());
        isolation = Optional.of(detected);
        logger.info("agent {}", detected);
        Path attempts = options.dataDirectory().resolve("attempts");
        return Keeper.open(detected.setsid(), options.dataDirectory(), attempts, options.tasksOutlive());
    }

    private ProcessRunner processRunner(NodeAgentOptions options, Keeper kept, OutputStore outputs, String bootId)
            throws IOException {
        Map<String, Devices> devices =
                options.machines().stream().collect(Collectors.toMap(MachineOptions::name, MachineOptions::devices));
        return opened.add(
                new ProcessRunner(isolation.orElseThrow(), kept, outputs, devices, options.dataDirectory(), bootId));
    }

    private Map<String, String> attributes(MachineOptions machine) {
        Map<String, String> attributes = new HashMap<>(machine.attributes());
        if (machine.kind() == MachineOptions.MachineKind.REAL) {
            isolation.ifPresent(in -> putIsolation(in, machine, attributes));
        }
        return attributes;
    }

    private static void putIsolation(Isolation isolation, MachineOptions machine, Map<String, String> attributes) {
        attributes.put("isolation", isolation.level().word());
        if (isolation.level() == IsolationLevel.FULL) {
            attributes.put("isolation.seccomp", isolation.seccomp().isPresent() ? "yes" : "no");
        }
        if (machine.devices().prefixes().keySet().stream().anyMatch(machine.members()::containsKey)) {
            attributes.put("isolation.devices", isolation.level() == IsolationLevel.FULL ? "yes" : "no");
        }
        isolation.imageProgram().ifPresent(program -> attributes.put("images", program));
        if (!isolation.why().isEmpty()) {
            attributes.put("isolation.why", isolation.why());
        }
    }

    /** Completes when all machines are registered. */
    public CompletableFuture<Void> registered() {
        return CompletableFuture.allOf(
                machines.values().stream().map(Machine::firstRegistered).toArray(CompletableFuture<?>[]::new));
    }

    /** Completes with the reason if it cannot go on. The caller must still close it. */
    public CompletableFuture<String> failed() {
        return failed.copy();
    }

    /** The isolation of tasks in one line; empty if all machines are hollow. */
    public Optional<String> isolation() {
        return isolation.map(Isolation::toString);
    }

    /** Stops, and leaves its tasks to the next agent of this data directory. The cell waits for one lease. */
    public void leave() {
        loop.stop();
        opened.of(ProcessRunner.class).forEach(ProcessRunner::leave);
        close();
    }

    /**
     * Stops all tasks gently, within three seconds, and leaves no process behind. It reports nothing: the cell counts the
     * machines as lost after their lease, or when their next agent registers.
     */
    @Override
    public void close() {
        loop.stop();
        opened.close();
        loop.shutdownNow();
    }
}
