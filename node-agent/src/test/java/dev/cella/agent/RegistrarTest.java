package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.agent.machine.MachineCapacity;
import dev.cella.agent.reconciler.AgentEvent;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.client.CellAddresses;
import dev.cella.client.live.AgentConnection;
import dev.cella.client.live.CellConnection;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.model.PlacementId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegistrarTest {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final MachineOptions OPTIONS = MachineOptions.hollow("m-1", new MachineCapacity(4_000, 4_000, 0));

    private final TestCell cell = new TestCell();
    private final CellConnection connection = CellConnection.open(CellAddresses.of(cell.address()));
    private final AgentLoop loop = new AgentLoop();
    private final Switched runner = new Switched();

    @AfterEach
    void stop() {
        loop.stop();
        loop.shutdownNow();
        connection.close();
        cell.close();
    }

    /** Counts how often it is asked whether it can be reached. */
    private static final class Switched implements TaskRunner {
        final AtomicInteger asked = new AtomicInteger();
        volatile boolean isReachable;

        @Override
        public boolean isReachable() {
            asked.incrementAndGet();
            return isReachable;
        }

        @Override
        public void start(String machine, Launch launch, Listener listener) {}

        @Override
        public void terminate(PlacementId placement) {}

        @Override
        public void kill(PlacementId placement) {}

        @Override
        public void close() {}
    }

    private Machine machine() {
        CellView view = new Cell(CellLimits.STANDARD).view();
        AgentConnection agents = new AgentConnection(connection);
        AgentClock clock = AgentClock.system();
        NodeAgentOptions options = NodeAgentOptions.of(cell.address(), OPTIONS, Path.of("/nowhere"), 1);
        AgentSurroundings around = new AgentSurroundings(
                loop,
                clock,
                options.lease().toMillis(),
                new Registrar(loop, agents, options, "boot", "http://127.0.0.1:1", why -> {}),
                new Specifications(loop, agents, () -> view),
                new ReportOutbox(loop, agents::report, clock),
                new Hosts(Set.of()),
                new StartOutbox(loop, agents),
                new QueueWaits(new RunEstimates()),
                () -> view);
        return new Machine(OPTIONS, Map.of(), runner, Optional.empty(), around);
    }

    /** It would take tasks, start none of them, and be given up with them after its lease, again and again. */
    @Test
    void machineThatCanStartNothing_isRegisteredWhenItCan() throws Exception {
        Machine machine = machine();
        loop.handOver(() -> machine.on(new AgentEvent.Begun()));
        await().atMost(SOON).until(() -> runner.asked.get() > 2);
        assertThat(machine.firstRegistered()).isNotDone();
        assertThat(cell.isReady("m-1")).isFalse();
        runner.isReachable = true;
        machine.firstRegistered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(cell.isReady("m-1")).isTrue();
    }
}
