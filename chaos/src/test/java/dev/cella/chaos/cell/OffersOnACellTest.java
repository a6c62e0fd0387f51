package dev.cella.chaos.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.client.http.HttpCell;
import dev.cella.client.live.OffersOptions;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.service.offers.OffersSchedulerProvider;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.scheduling.live.SchedulerByOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live allocator and the built-in batch scheduler as its framework, on a running cell. */
class OffersOnACellTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    Path data;

    private CellServer server;
    private HttpCell cell;

    @BeforeEach
    void startServer() throws Exception {
        CellServerOptions options = CellServerOptions.defaults(data).withPort(0).withFreeBytesMin(0);
        server = CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
        cell = new HttpCell(URI.create(server.address()));
    }

    @AfterEach
    void stopServer() throws Exception {
        server.close();
    }

    private LiveSchedulerOptions options(String name, String instance) {
        return LiveSchedulerOptions.of(URI.create(server.address()), name, name, instance, 42);
    }

    private static LiveScheduler<?> start(LiveSchedulerOptions options, SchedulerProvider provider) {
        return LiveScheduler.start(options, SchedulerByOptions.of(provider, Map.of()));
    }

    private void submit(String name, int tasks) {
        cell.submitJob(Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler("batch")
                .addGroups(Group.newBuilder()
                        .setCount(tasks)
                        .putResources("cpuMilli", 1_000)
                        .putResources("memoryMib", 64)
                        .setRun(Run.newBuilder().addCommand("true")))
                .build());
    }

    private long placed(String job) {
        return cell.getJob(GetJobRequest.newBuilder().setName(job).build())
                .getTasks()
                .getPlaced();
    }

    @Test
    void batchTakesOffers_waitsForAnAllocator_andGivesTheRestBack() {
        cell.putMachine(PutMachineRequest.newBuilder()
                .setName("m1")
                .putCapacity("cpuMilli", 4_000)
                .putCapacity("memoryMib", 4_096)
                .build());
        OffersOptions part = new OffersOptions(Optional.of("science"), 2, Map.of("cpuMilli", 500L));
        try (LiveScheduler<?> batch = start(options("batch", "one").withOffers(part), new BatchSchedulerProvider())) {
            submit("first", 3);
            await().atMost(SOON)
                    .until(
                            () -> cell.explainJob(ExplainJobRequest.newBuilder()
                                            .setName("first")
                                            .build())
                                    .toString(),
                            text -> text.contains("excluded by offers"));
            try (LiveScheduler<?> allocator = start(options("offers", "one"), new OffersSchedulerProvider())) {
                await().atMost(SOON).until(() -> placed("first") == 3);
                await().atMost(SOON)
                        .until(() -> batch.read(view -> view.offers().isEmpty()
                                        && view.session("batch", "one")
                                                .orElseThrow()
                                                .suppressed())
                                .join());
                assertThat(allocator.ended()).isNotDone();
            }
            submit("second", 1);
            try (LiveScheduler<?> successor = start(options("offers", "two"), new OffersSchedulerProvider())) {
                await().atMost(SOON).until(() -> placed("second") == 1);
                assertThat(successor.ended()).isNotDone();
            }
        }
    }
}
