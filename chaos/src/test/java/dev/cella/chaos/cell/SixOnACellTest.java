package dev.cella.chaos.cell;

import static org.awaitility.Awaitility.await;

import dev.cella.chaos.schedulers.Six;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The six schedulers of the seam, beside each other on one running cell. */
class SixOnACellTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    Path data;

    @Test
    void eachPlacesItsJobs() throws Exception {
        List<LiveScheduler<?>> running = new ArrayList<>();
        CellServerOptions options = CellServerOptions.defaults(data).withPort(0).withFreeBytesMin(0);
        try (CellServer server = CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        })) {
            URI address = URI.create(server.address());
            HttpCell cell = new HttpCell(address);
            for (int machine = 0; machine < 4; machine++) {
                cell.putMachine(PutMachineRequest.newBuilder()
                        .setName("m" + machine)
                        .putAllCapacity(Map.of("cpuMilli", 16_000L, "memoryMib", 8_192L))
                        .build());
            }
            List<Named<Supplier<Scheduler<?>>>> six = Six.schedulers().toList();
            six.forEach(each -> running.add(LiveScheduler.start(
                    LiveSchedulerOptions.of(address, each.getName(), each.getName(), "one", 42),
                    each.getPayload().get())));
            six.forEach(each -> cell.submitJob(job(each.getName())));
            for (Named<?> each : six) {
                await(each.getName()).atMost(SOON).until(() -> placed(cell, each.getName()) == 4);
            }
        } finally {
            running.forEach(LiveScheduler::close);
        }
    }

    private static int placed(HttpCell cell, String job) {
        return (int) cell.getJob(GetJobRequest.newBuilder().setName(job).build())
                .getTasks()
                .getPlaced();
    }

    private static Job job(String scheduler) {
        return Job.newBuilder()
                .setName(scheduler)
                .setScheduler(scheduler)
                .setType(JobType.JOB_TYPE_BATCH)
                .addGroups(Group.newBuilder()
                        .setCount(4)
                        .putAllResources(Map.of("cpuMilli", 1_000L, "memoryMib", 64L))
                        .setRun(Run.newBuilder().addCommand("true")))
                .build();
    }
}
