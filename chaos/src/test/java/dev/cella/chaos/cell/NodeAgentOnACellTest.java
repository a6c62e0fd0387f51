package dev.cella.chaos.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.TaskOutput;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.LogStream;
import dev.cella.client.proto.LogsQuery;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import dev.cella.scheduler.batch.RandomisedFirstFit;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent on a running cell with a live scheduler: processes, their ends and their output, seen over HTTP. */
class NodeAgentOnACellTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final String MACHINE = "m1";

    @TempDir
    Path data;

    private CellServer server;
    private HttpCell cell;
    private LiveScheduler<?> scheduler;
    private NodeAgent agent;

    @BeforeEach
    void startAll() throws Exception {
        letOtherUsersLookInto(data);
        // The server comes back at this port: the system must not give it away meanwhile.
        server = startServer(FreePorts.find(1, new Random()).get(0));
        URI address = URI.create(server.address());
        cell = new HttpCell(address);
        scheduler = LiveScheduler.start(
                LiveSchedulerOptions.of(address, "batch", "batch", "one", 42), new RandomisedFirstFit().scheduler());
        agent = startAgent();
    }

    /** Where the test is root, its tasks are nobody. */
    private static void letOtherUsersLookInto(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private CellServer startServer(int port) throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(data.resolve("cell")).withPort(port).withFreeBytesMin(0);
        return CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    private NodeAgent startAgent() throws Exception {
        MachineOptions machine = new MachineOptions(
                MACHINE, MachineOptions.MachineKind.REAL, Map.of("cpuMilli", 4_000L, "memoryMib", 4_000L), Map.of());
        NodeAgent started =
                NodeAgent.start(NodeAgentOptions.of(URI.create(server.address()), machine, data.resolve("agent"), 1)
                        .withLease(LEASE));
        started.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        return started;
    }

    @AfterEach
    void stopAll() throws Exception {
        agent.close();
        scheduler.close();
        server.close();
    }

    private void submit(String name, int count, String... command) {
        cell.submitJob(Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .addGroups(Group.newBuilder()
                        .setCount(count)
                        .putAllResources(Map.of("cpuMilli", 100L, "memoryMib", 10L))
                        .setRun(Run.newBuilder().addAllCommand(List.of(command))))
                .build());
    }

    private JobState state(String job) {
        return cell.getJob(GetJobRequest.newBuilder().setName(job).build()).getState();
    }

    private Task task(String job, int index) {
        return cell.getTask(GetTaskRequest.newBuilder()
                .setJob(job)
                .setGroup("main")
                .setIndex(index)
                .build());
    }

    private void awaitState(String job, TaskState state) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> task(job, 0).getState() == state);
    }

    private String printed(String job, int index) {
        LogsQuery query = LogsQuery.newBuilder()
                .setJob(job)
                .setGroup("main")
                .setIndex(index)
                .setStream(LogStream.LOG_STREAM_STDOUT)
                .build();
        try (TaskOutput output = cell.taskLogs(query)) {
            return new String(output.bytes().readAllBytes(), UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void submittedJobRunsToItsEnd_andItsOutputIsReadOverHttp() {
        submit("hello", 3, "echo", "task ${index}");
        await().atMost(SOON).until(() -> state("hello") == JobState.JOB_STATE_FINISHED);
        for (int index = 0; index < 3; index++) {
            assertThat(task("hello", index).getExitCode()).isZero();
            assertThat(task("hello", index).getMachine()).isEqualTo(MACHINE);
            assertThat(printed("hello", index)).isEqualTo("task " + index + "\n");
        }
    }

    @Test
    void stoppedJob_isKilled() {
        submit("long", 1, "sleep", "1000");
        awaitState("long", TaskState.TASK_STATE_RUNNING);
        cell.stopJob(StopJobRequest.newBuilder().setName("long").build());
        awaitState("long", TaskState.TASK_STATE_KILLED);
        assertThat(task("long", 0).getExitCode()).isEqualTo(143);
    }

    @Test
    void serverThatGoesAndComesBack_findsItsTasksRunning_andLearnsTheirEnd() throws Exception {
        Path end = data.resolve("end");
        submit("patient", 1, "sh", "-c", "while ! test -e " + end + "; do sleep 0.05; done; exit 7");
        awaitState("patient", TaskState.TASK_STATE_RUNNING);
        int port = URI.create(server.address()).getPort();
        server.close();
        server = startServer(port);
        Files.createFile(end);
        await().atMost(SOON)
                .until(() -> task("patient", 0).getAttempt() > 1
                        || task("patient", 0).getState() == TaskState.TASK_STATE_FAILED);
        assertThat(task("patient", 0).getReason()).isNotEqualTo("MACHINE_LOST");
    }

    @Test
    void agentThatIsReplaced_itsTasksRunAgain() throws Exception {
        submit("long", 1, "sleep", "1000");
        awaitState("long", TaskState.TASK_STATE_RUNNING);
        agent.close();
        agent = startAgent();
        await().atMost(SOON)
                .until(() -> task("long", 0).getAttempt() == 2
                        && task("long", 0).getState() == TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void agentThatIsGone_itsMachineIsDownAfterItsLease() {
        submit("long", 1, "sleep", "1000");
        awaitState("long", TaskState.TASK_STATE_RUNNING);
        agent.close();
        await().atMost(SOON)
                .until(() -> task("long", 0).getState() == TaskState.TASK_STATE_LOST
                        || task("long", 0).getState() == TaskState.TASK_STATE_PENDING);
    }
}
