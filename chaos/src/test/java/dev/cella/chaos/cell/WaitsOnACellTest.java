package dev.cella.chaos.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Run;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.transactions.waits.WaitMatrix;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wait-time matrix of a machine on its whole way: from its agent over the cell into the plans of a scheduler. */
class WaitsOnACellTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    Path data;

    private final AtomicReference<@Nullable WaitMatrix> lastSeen = new AtomicReference<>();

    private Optional<WaitMatrix> seen() {
        return Optional.ofNullable(lastSeen.get());
    }

    /** Places every task on the only machine, and notes what its plans observe. */
    private final class Reader implements Scheduler<String> {
        @Override
        public String start() {
            return "";
        }

        @Override
        public boolean observesWaits() {
            return true;
        }

        @Override
        public Optional<Rounds> rounds() {
            return Optional.of(new Rounds(Duration.ofMillis(100), Duration.ofMillis(10)));
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            context.observations().waits(0, "m").ifPresent(lastSeen::set);
            work.jobs().forEach(job -> cells.get(0).pendingGroups(job.id()).forEach(group -> group.claimNext(0)));
            return Plan.of(List.of(), List.of(), context.memory());
        }
    }

    @Test
    void agentsMatrixReachesPlans_whichAskForIt() throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(data.resolve("cell")).withPort(0).withFreeBytesMin(0);
        try (CellServer server = CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        })) {
            URI address = URI.create(server.address());
            MachineOptions machine = MachineOptions.hollow("m", new MachineCapacity(4_000, 4_000, 0));
            LiveSchedulerOptions reader = LiveSchedulerOptions.of(address, "reader", "reader", "one", 7);
            try (NodeAgent agent = NodeAgent.start(NodeAgentOptions.of(address, machine, data.resolve("agent"), 1)
                            .withLease(Duration.ofMillis(900))
                            .withHollowRuntime(Duration.ofHours(1)));
                    LiveScheduler<?> scheduler = LiveScheduler.start(reader, new Reader())) {
                agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
                assertThat(scheduler.ended()).isNotDone();
                await().atMost(SOON).until(() -> seen().isPresent());
                assertThat(seen().orElseThrow().waitSeconds(4_000, 4_000)).isZero();

                new HttpCell(address).submitJob(oneTask());

                await().atMost(SOON)
                        .until(() -> seen().stream().anyMatch(matrix -> matrix.waitSeconds(4_000, 4_000) > 0));
                assertThat(seen().orElseThrow().waitSeconds(500, 500))
                        .as("there is room for a small task")
                        .isZero();
            }
        }
    }

    private static Job oneTask() {
        return Job.newBuilder()
                .setName("one")
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler("reader")
                .addGroups(Group.newBuilder()
                        .setCount(1)
                        .putAllResources(Map.of("cpuMilli", 2_000L, "memoryMib", 10L))
                        .setRun(Run.newBuilder().addCommand("true")))
                .build();
    }
}
