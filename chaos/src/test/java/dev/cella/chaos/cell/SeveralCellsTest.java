package dev.cella.chaos.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.chaos.schedulers.TwoCellSpreader;
import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskCounts;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.FreePorts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One live scheduler on two running cells, with a replica, a session and a stream in each. */
class SeveralCellsTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    Path data;

    private CellServer firstServer;
    private CellServer secondServer;
    private HttpCell first;
    private HttpCell second;

    @BeforeEach
    void startCells() throws Exception {
        firstServer = start("first", 0);
        // The server comes back at this port: the system must not give it away meanwhile.
        secondServer = start("second", FreePorts.find(1, new Random()).get(0));
        first = new HttpCell(URI.create(firstServer.address()));
        second = new HttpCell(URI.create(secondServer.address()));
    }

    private CellServer start(String name, int port) throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(data.resolve(name)).withPort(port).withFreeBytesMin(0);
        return CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    @AfterEach
    void stopCells() throws Exception {
        firstServer.close();
        secondServer.close();
    }

    @Test
    void spreaderOverTwoCells_movesWhatFindsNoRoomToTheOther() {
        putMachine(first, 4_000);
        putMachine(second, 16_000);
        try (LiveScheduler<?> scheduler = schedule()) {
            second.submitJob(job("web", 1));
            first.submitJob(job("web", 8));
            await().atMost(SOON).until(() -> tasks(second, "web").getPlaced() == 5);
            await().atMost(SOON).until(() -> tasks(first, "web").getPlaced() == 4);
            assertThat(tasks(first, "web").getPending()).isZero();
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void sessionThatEndsInOneCell_isOpenedAgain_andTheWorkGoesOnInBoth() {
        putMachine(first, 4_000);
        putMachine(second, 4_000);
        try (LiveScheduler<?> scheduler = schedule()) {
            first.submitJob(job("before", 1));
            await().atMost(SOON).until(() -> tasks(first, "before").getPlaced() == 1);
            second.closeSession(CloseSessionRequest.newBuilder()
                    .setName("batch")
                    .setInstance("one")
                    .build());
            second.submitJob(job("after", 2));
            first.submitJob(job("after", 1));
            await().atMost(SOON).until(() -> tasks(second, "after").getPlaced() == 2);
            await().atMost(SOON).until(() -> tasks(first, "after").getPlaced() == 1);
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    /** The former loop has used ids there. */
    @Test
    void sessionThatGoesOn_hasNoTransactionRefused_whenItsLoopIsReplaced() throws Exception {
        putMachine(first, 8_000);
        putMachine(second, 4_000);
        try (LiveScheduler<?> scheduler = schedule()) {
            for (String before : List.of("a", "b", "c", "d")) {
                first.submitJob(job(before, 1));
                await().atMost(SOON).until(() -> tasks(first, before).getPlaced() == 1);
            }
            second.closeSession(CloseSessionRequest.newBuilder()
                    .setName("batch")
                    .setInstance("one")
                    .build());
            second.submitJob(job("after", 1));
            await().atMost(SOON).until(() -> tasks(second, "after").getPlaced() == 1);
            first.submitJob(job("after", 1));
            await().atMost(SOON).until(() -> tasks(first, "after").getPlaced() == 1);
            LoopStatus status =
                    scheduler.status().get(SOON.toSeconds(), TimeUnit.SECONDS).orElseThrow();
            assertThat(status.counters().transactionsRefused()).isZero();
        }
    }

    @Test
    void cellThatIsAway_doesNotStopTheWorkOnTheOther_andIsTakenInWhenItIsBack() throws Exception {
        putMachine(first, 4_000);
        putMachine(second, 4_000);
        int port = URI.create(secondServer.address()).getPort();
        secondServer.close();
        try (LiveScheduler<?> scheduler = schedule()) {
            first.submitJob(job("alone", 1));
            await().atMost(SOON).until(() -> tasks(first, "alone").getPlaced() == 1);

            secondServer = start("second", port);
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> second.submitJob(job("back", 1)).getName().equals("back"));
            await().atMost(SOON).until(() -> tasks(second, "back").getPlaced() == 1);
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void cellThatJoinsLate_takesWhatSleepsInTheOther() throws Exception {
        putMachine(first, 4_000);
        putMachine(second, 16_000);
        second.submitJob(job("web", 1));
        int port = URI.create(secondServer.address()).getPort();
        secondServer.close();
        try (LiveScheduler<?> scheduler = schedule()) {
            first.submitJob(job("web", 8));
            await().atMost(SOON).until(() -> tasks(first, "web").getPlaced() == 4);
            secondServer = start("second", port);
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> tasks(second, "web").getPlaced() == 5);
            await().atMost(SOON).until(() -> tasks(first, "web").getPending() == 0);
            assertThat(tasks(first, "web").getPlaced())
                    .as("as many tasks went away as came to the other cell")
                    .isEqualTo(4);
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void reportToEachCell_hasItsOwnJobs() {
        putMachine(first, 500);
        putMachine(second, 250);
        try (LiveScheduler<?> scheduler = schedule()) {
            first.submitJob(job("one", 1));
            second.submitJob(job("other", 1));
            await().atMost(SOON).until(() -> summary(first, "one"), text -> text.contains("too small in cpuMilli"));
            await().atMost(SOON).until(() -> summary(second, "other"), text -> text.contains("too small in cpuMilli"));
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void cellThatIsListedTwice_endsTheSchedulerWithThatReason() throws Exception {
        URI address = URI.create(firstServer.address());
        URI again = URI.create("http://localhost:" + address.getPort());
        LiveSchedulerOptions options = LiveSchedulerOptions.of(address, "batch", "spreader", "one", 42)
                .withMoreCells(List.of(CellAddresses.of(again)));
        try (LiveScheduler<?> scheduler = LiveScheduler.start(options, new TwoCellSpreader())) {
            assertThat(scheduler.ended().get(SOON.toSeconds(), TimeUnit.SECONDS))
                    .contains("are one cell; list each cell once");
        }
    }

    private LiveScheduler<?> schedule() {
        LiveSchedulerOptions options = LiveSchedulerOptions.of(
                        URI.create(firstServer.address()), "batch", "spreader", "one", 42)
                .withMoreCells(List.of(CellAddresses.of(URI.create(secondServer.address()))))
                .withLease(Duration.ofSeconds(1));
        return LiveScheduler.start(options, new TwoCellSpreader());
    }

    private static void putMachine(HttpCell cell, long cpuMilli) {
        cell.putMachine(PutMachineRequest.newBuilder()
                .setName("m1")
                .putAllCapacity(Map.of("cpuMilli", cpuMilli, "memoryMib", 8_192L))
                .build());
    }

    private static Job job(String name, int count) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .addGroups(Group.newBuilder()
                        .setCount(count)
                        .putAllResources(Map.of("cpuMilli", 1_000L, "memoryMib", 64L))
                        .setRun(Run.newBuilder().addCommand("true")))
                .build();
    }

    private static TaskCounts tasks(HttpCell cell, String job) {
        return cell.getJob(GetJobRequest.newBuilder().setName(job).build()).getTasks();
    }

    private static String summary(HttpCell cell, String job) {
        return cell.explainJob(ExplainJobRequest.newBuilder().setName(job).build())
                .getSummary();
    }
}
