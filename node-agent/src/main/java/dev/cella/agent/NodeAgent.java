package dev.cella.agent;

import dev.cella.agent.guard.Guard;
import dev.cella.agent.logs.LogServer;
import dev.cella.agent.logs.OutputStore;
import dev.cella.agent.reconciler.Event;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent: speaks for one machine or many, runs what the cell places on them, and reports what became of it.
 *
 * <p>However many machines there are, they share one replica of the cell, one thread with its timers, one connection, one
 * guard and one port for output; renewals and reports go together. So a hollow machine costs a row and a reconciler.
 *
 * <p>An agent of the same name that starts later takes the machine over; this one then stops its tasks and stays idle.
 */
public final class NodeAgent implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(NodeAgent.class);

    private static final int GUARD_RENEWALS_A_LEASE = 4;

    private final AgentLoop loop = new AgentLoop();
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private Optional<Isolation> isolation = Optional.empty();

    private NodeAgent() {}

    /**
     * Starts an agent, which registers its machines as soon as the cell answers.
     *
     * @throws IOException this machine cannot run tasks, or not as that user, or the data directory is no use
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

    private <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    private void open(NodeAgentOptions options) throws IOException, InterruptedException {
        String bootId = UUID.randomUUID().toString();
        OutputStore outputs = openOutputs(options);
        CellConnection connection = opened(CellConnection.open(options.cell()));
        LogServer logServer = opened(LogServer.start(options.logAddress(), outputs));
        Map<MachineOptions.MachineKind, TaskRunner> runners = new HashMap<>();
        runners.put(MachineOptions.MachineKind.HOLLOW, opened(hollowRunner(options)));
        if (options.hasRealMachine()) {
            runners.put(MachineOptions.MachineKind.REAL, processRunner(options, outputs, bootId));
        }

        ShownMachines shown = new ShownMachines(loop, machines);
        Backoff backoff = Backoff.standard(new SplittableRandom(options.seed()));
        PrivateReplica replica = opened(new PrivateReplica(connection, loop, backoff, shown));
        AgentConnection cell = new AgentConnection(connection);
        AgentClock clock = AgentClock.system();
        Surroundings around = new Surroundings(
                loop,
                clock,
                new Registrar(loop, cell, options, bootId, logServer.address()),
                new Specifications(loop, cell),
                new ReportOutbox(loop, cell, clock),
                replica::view);
        for (MachineOptions machine : options.machines()) {
            TaskRunner runner = runners.get(machine.kind());
            if (runner != null) {
                machines.put(machine.name(), new Machine(machine, attributes(machine), runner, around));
            }
        }
        logger.info("agent boot={} machines={} logs={}", bootId, machines.size(), logServer.address());
        replica.start();
        new LeaseKeeper(loop, cell, machines.values()).start(options.lease().toMillis());
        loop.handOver(() -> machines.values().forEach(machine -> machine.on(new Event.Begun())));
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
        return new HollowRunner(loop, options.hollowRuntime().toMillis(), options.seed());
    }

    private ProcessRunner processRunner(NodeAgentOptions options, OutputStore outputs, String bootId)
            throws IOException, InterruptedException {
        Isolation detected = Isolation.detect(options.taskUser());
        isolation = Optional.of(detected);
        logger.info("agent {}", detected);
        Guard guard = opened(Guard.start(detected.setsid(), options.lease()));
        loop.repeat(options.lease().toMillis() / GUARD_RENEWALS_A_LEASE, guard::renew);
        return opened(new ProcessRunner(detected, guard, outputs, bootId));
    }

    private Map<String, String> attributes(MachineOptions machine) {
        Map<String, String> attributes = new HashMap<>(machine.attributes());
        if (machine.kind() == MachineOptions.MachineKind.REAL) {
            isolation.ifPresent(in -> attributes.put("isolation", in.level()));
        }
        return attributes;
    }

    /** Done when the cell has come to know all machines. */
    public CompletableFuture<Void> registered() {
        return CompletableFuture.allOf(
                machines.values().stream().map(Machine::firstRegistered).toArray(CompletableFuture<?>[]::new));
    }

    /** In one line, what stands between a task and its machine; nothing if all machines are hollow. */
    public Optional<String> isolation() {
        return isolation.map(Isolation::toString);
    }

    /**
     * Stops all tasks, asking first, within three seconds, and leaves no process behind. Nothing is reported: the cell
     * counts the machines as lost after their lease, or when their next agent registers.
     */
    @Override
    public void close() {
        loop.stop();
        while (!opened.isEmpty()) {
            closeOne(opened.pop());
        }
        loop.shutdownNow();
    }

    private static void closeOne(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception failure) {
            logger.warn("agent event=not-closed part={}", part, failure);
        }
    }
}
