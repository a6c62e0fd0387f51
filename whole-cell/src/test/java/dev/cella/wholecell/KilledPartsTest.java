package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each of the four parts is killed once, in the middle of a job, and the job still ends correctly. */
@Timeout(240)
class KilledPartsTest {
    @TempDir
    private static Path cellFolder;

    private static RealCell cell;

    @TempDir
    Path folder;

    @BeforeAll
    static void startCell() {
        makeWritable(cellFolder);
        cell = RealCell.start(cellFolder);
    }

    @AfterAll
    static void stopCell() {
        cell.close();
    }

    @Test
    void storeKilledInTheMiddle_taskRunsOnAndItsEndIsKept() {
        submitGated("store");
        cell.client().awaitTask("store/main/0", "RUNNING");

        cell.killStore();
        openGate();
        cell.restartStore();

        cell.client().awaitJob("store", "FINISHED");
        assertThat(starts()).as(cell::toString).containsExactly("start 1");
    }

    @Test
    void schedulerKilledBeforeItPlans_anotherOnePlacesTheJob() {
        cell.killScheduler();
        submitGated("scheduler");
        openGate();
        assertThat(cell.client().get("/v1/jobs/scheduler").path("state").asText())
                .isEqualTo("PENDING");

        cell.restartScheduler();

        cell.client().awaitJob("scheduler", "FINISHED");
        assertThat(starts()).as(cell::toString).containsExactly("start 1");
    }

    /** A task that waits in a machine's queue starts without the scheduler that queued it. */
    @Test
    void queueingSchedulerKilled_whatItQueuedRuns_andTheNextOnePlacesNewJobs() {
        try (CellaProcess apollo = cell.startScheduler("apollo")) {
            cell.client().post("/v1/jobs", forApollo(gated("queued"), 3));
            cell.client()
                    .awaitAnswer("/v1/machines/m-001", row -> row.path("queued").asInt() == 2);

            apollo.kill();
            openGate();

            cell.client().awaitJob("queued", "FINISHED");
        }
        assertThat(starts()).as(cell::toString).containsExactly("start 1", "start 1", "start 1");
        try (CellaProcess next = cell.startScheduler("apollo")) {
            cell.client().post("/v1/jobs", forApollo(gated("next"), 1));
            cell.client().awaitJob("next", "FINISHED");
            assertThat(next.isAlive()).isTrue();
        }
    }

    /** Spare work outlives its scheduler and its agent, and the next scheduler knows which of it has no token. */
    @Test
    void schedulerAndAgentKilledWithSpareWork_itRunsOnAndRunsOnce() {
        String spare = "/v1/tasks/spare/main/1";
        try (CellaProcess apollo = cell.startScheduler("apollo", "tokens=1")) {
            cell.client()
                    .post(
                            "/v1/jobs",
                            Jobs.batch("spare", 2, "/bin/sh", "-c", script())
                                    .replace("\"type\": \"batch\"", "\"type\": \"batch\", \"scheduler\": \"apollo\""));
            cell.client().awaitTask("spare/main/0", "RUNNING");
            cell.client()
                    .awaitAnswer(
                            spare,
                            task -> task.path("spare").asBoolean()
                                    && task.path("state").asText().equals("RUNNING"));
            apollo.kill();
        }
        cell.killAgent();
        cell.restartAgent();
        try (CellaProcess next = cell.startScheduler("apollo", "tokens=1")) {
            cell.client()
                    .awaitAnswer(
                            "/v1/machines/m-001",
                            row -> row.path("status").asText().equals("READY"));
            assertThat(cell.client().get(spare).path("spare").asBoolean()).isTrue();
            openGate();
            cell.client().awaitJob("spare", "FINISHED");
            assertThat(next.isAlive()).isTrue();
        }
        assertThat(starts()).as(cell::toString).containsExactly("start 1", "start 1");
    }

    /** The copy does the work of the task that it copies, and ends it, although the agent is killed meanwhile. */
    @Test
    void agentKilledWhileATaskGetsACopy_copyDoesItsWork_andEndsIt() {
        makeWritable(folder);
        String script = "mkdir %1$s/task-${index} && exec sleep 600; echo ${index} >> %1$s/copies".formatted(folder);
        cell.client().post("/v1/jobs", Jobs.batch("copied", 2, "/bin/sh", "-c", script));
        cell.client().awaitTask("copied/main/0", "RUNNING");
        cell.client().awaitTask("copied/main/1", "RUNNING");

        cell.killAgent();
        JsonNode copied = cell.client().post("/v1/transactions", """
                {"id": "copied", "scheduler": "batch", "steps": [{"task": "copied/main/1", "step": "COPY", "attempt": 1}]}
                """);
        assertThat(copied.path("outcome").asText()).as(copied::toString).isEqualTo("COMMITTED");
        cell.restartAgent();

        cell.client().awaitTask("copied/main~copies/0", "FINISHED");
        JsonNode ended = cell.client().awaitTask("copied/main/1", "KILLED");
        assertThat(ended.path("reason").asText()).isEqualTo("COPY");
        assertThat(read("copies")).containsExactly("1");
        assertThat(cell.client().get("/v1/tasks/copied/main/0").path("state").asText())
                .isEqualTo("RUNNING");
        assertThat(cell.client().tryToSend("DELETE", "/v1/jobs/copied", "")).isPresent();
        cell.client().awaitJob("copied", "STOPPED");
    }

    /** Each of its tasks takes the whole machine. */
    private static String forApollo(String job, int tasks) {
        long all =
                cell.client().get("/v1/machines/m-001").at("/capacity/cpuMilli").asLong();
        return job.replace("\"count\": 1", "\"count\": " + tasks)
                .replace("\"cpuMilli\": 100", "\"cpuMilli\": " + all)
                .replace("\"type\": \"batch\"", "\"type\": \"batch\", \"scheduler\": \"apollo\"");
    }

    @Test
    void agentKilledWithATaskRunning_nextAgentAdoptsIt_andItRunsOnce() {
        submitGated("agent");
        cell.client().awaitTask("agent/main/0", "RUNNING");
        long pid = Long.parseLong(read("pid").get(0));

        cell.killAgent();
        cell.restartAgent();
        assertThat(isRunning(pid)).isTrue();
        openGate();

        cell.client().awaitJob("agent", "FINISHED");
        JsonNode task = cell.client().get("/v1/tasks/agent/main/0");
        assertThat(task.path("attempt").asInt()).as(cell::toString).isEqualTo(1);
        assertThat(starts()).containsExactly("start 1");
    }

    @Test
    void agentKilledForGood_taskIsLostAfterTheLease() {
        try (CellaProcess agent = cell.startAgent("m-002", "4s")) {
            cell.client().post("/v1/jobs", gated("lost").replace("\"run\"", """
                    "constraints": [{"attribute": "name", "operator": "eq", "value": "m-002"}], "run"\
                    """));
            cell.client().awaitTask("lost/main/0", "RUNNING");

            agent.kill();

            cell.client()
                    .awaitAnswer(
                            "/v1/machines/m-002",
                            row -> row.path("status").asText().equals("DOWN"));
            JsonNode tasks = cell.client().get("/v1/jobs/lost").path("tasks");
            assertThat(tasks.path("lost").asInt() + tasks.path("pending").asInt())
                    .as(cell::toString)
                    .isEqualTo(1);
            assertThat(tasks.path("running").asInt()).isZero();

            // The cell has given the task up, and nobody tells its process: it runs until an agent comes back.
            long pid = Long.parseLong(read("pid").get(0));
            assertThat(isRunning(pid)).isTrue();
            openGate();
            await().atMost(CellaProcess.PATIENCE).until(() -> !isRunning(pid));
        }
    }

    @Test
    void taskKilled_isFailedWithItsSignal_andRunsAgain() {
        submitGated("task");
        cell.client().awaitTask("task/main/0", "RUNNING");

        ProcessHandle.of(Long.parseLong(read("pid").get(0))).orElseThrow().destroyForcibly();
        await().atMost(CellaProcess.PATIENCE).until(() -> starts().size() == 2);
        openGate();

        cell.client().awaitJob("task", "FINISHED");
        assertThat(cell.client().get("/v1/tasks/task/main/0").path("attempt").asInt())
                .isEqualTo(2);
    }

    private void submitGated(String name) {
        cell.client().post("/v1/jobs", gated(name));
    }

    /** Its task records that it started, and ends when the gate is open. */
    private String gated(String name) {
        return Jobs.batch(name, 1, "/bin/sh", "-c", script());
    }

    private String script() {
        makeWritable(folder);
        return "echo $$ > %1$s/pid; echo start $CELLA_ATTEMPT >> %1$s/starts; "
                .concat("while [ ! -e %1$s/gate ]; do sleep 0.05; done")
                .formatted(folder);
    }

    private void openGate() {
        try {
            Files.createFile(folder.resolve("gate"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> starts() {
        return read("starts");
    }

    private List<String> read(String file) {
        Path path = folder.resolve(file);
        await().atMost(CellaProcess.PATIENCE).until(() -> Files.exists(path) && Files.size(path) > 0);
        try {
            return Files.readAllLines(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tasks may run as another user than the test. */
    static void makeWritable(Path folder) {
        assertThat(folder.toFile().setWritable(true, false)).isTrue();
        assertThat(folder.toFile().setReadable(true, false)).isTrue();
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
