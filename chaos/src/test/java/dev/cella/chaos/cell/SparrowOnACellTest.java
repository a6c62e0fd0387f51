package dev.cella.chaos.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Run;
import dev.cella.scheduler.batch.sparrow.SparrowSchedulerProvider;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.transactions.cell.CellView;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Type sparrow on a running cell with two agents of hollow machines: its scheduler and one of the agents go on the way. */
class SparrowOnACellTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int MACHINES_AN_AGENT = 3;
    private static final int TASKS = 200;

    @TempDir
    Path data;

    private CellServer server;
    private URI address;
    private HttpCell cell;

    @BeforeEach
    void startServer() throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(data.resolve("cell")).withPort(0).withFreeBytesMin(0);
        server = CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
        address = URI.create(server.address());
        cell = new HttpCell(address);
    }

    @AfterEach
    void stopServer() throws Exception {
        server.close();
    }

    private LiveScheduler<?> schedule(String instance) {
        SparrowSchedulerProvider provider = new SparrowSchedulerProvider();
        Scheduler<?> sparrow = provider.create(SchedulerOptions.of(provider.options(), Map.of()));
        return LiveScheduler.start(LiveSchedulerOptions.of(address, "sparrow", "sparrow", instance, 7), sparrow);
    }

    private NodeAgent agent(String name) throws Exception {
        List<MachineOptions> machines = IntStream.range(0, MACHINES_AN_AGENT)
                .mapToObj(place -> MachineOptions.hollow(name + "-" + place, new MachineCapacity(1_000, 1_000, 0)))
                .toList();
        NodeAgent started = NodeAgent.start(NodeAgentOptions.of(address, machines.get(0), data.resolve(name), 1)
                .withMachines(machines.subList(1, machines.size()))
                .withLease(LEASE)
                .withHollowRuntime(Duration.ofMillis(50)));
        started.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        return started;
    }

    private JobStatus job() {
        return cell.getJob(GetJobRequest.newBuilder().setName("many").build());
    }

    @Test
    void everyTaskFinishesOnce_thoughTheSchedulerAndAnAgentGo() throws Exception {
        NodeAgent stays = agent("stays");
        NodeAgent goes = agent("goes");
        LiveScheduler<?> first = schedule("one");
        cell.submitJob(Job.newBuilder()
                .setName("many")
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler("sparrow")
                .addGroups(Group.newBuilder()
                        .setCount(TASKS)
                        .putAllResources(Map.of("cpuMilli", 200L, "memoryMib", 10L))
                        .setRun(Run.newBuilder().addCommand("true")))
                .build());
        await().atMost(SOON).until(() -> job().getTasks().getFinished() > 0);
        first.close();
        goes.close();

        try (LiveScheduler<?> second = schedule("two")) {
            await().atMost(SOON).until(() -> job().getTasks().getFinished() == TASKS);
            assertThat(second.ended()).isNotDone();
        }
        int queued = server.read(CellView::queued);
        assertThat(queued).isZero();
        stays.close();
    }
}
