package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What schedulers decide about jobs that are there: update, revert, move, preemption, quota. One cell of hollow machines. */
@Timeout(240)
class JobLifeTest {
    @TempDir
    static Path folder;

    private static CellaProcess dev;
    private static OutsideClient client;

    @BeforeAll
    static void startCell() throws IOException {
        dev = CellaProcess.start(
                DevTest.AS_THE_LAUNCHER,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                "dev",
                "--data",
                folder.resolve("cell").toString(),
                "--port",
                "0",
                "--machines",
                "4",
                "--hollow-run-time",
                "forever");
        String address = dev.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
        client = new OutsideClient(
                address, Files.readString(folder.resolve("cell/token")).strip());
    }

    @AfterAll
    static void stopCell() {
        dev.close();
    }

    @Test
    void updateOfAService_replacesItsTasksOneAfterAnother_andARevertBringsThemBack() {
        client.post("/v1/jobs", service("rolled", "", 0));
        awaitRunning("rolled", 3);
        client.put("/v1/jobs/rolled", service("rolled", "\"CELLA_HOLLOW_RUNTIME_MILLIS\": \"1000000\"", 0));
        awaitRunning("rolled", 3, 2);
        client.post("/v1/jobs/rolled:revert", "{}");
        awaitRunning("rolled", 3, 3);
    }

    @Test
    void updateThatFails_isRevertedByItsScheduler() {
        client.post("/v1/jobs", service("fails", "", 0));
        awaitRunning("fails", 3);
        String bad = "\"CELLA_HOLLOW_RUNTIME_MILLIS\": \"10\", \"CELLA_HOLLOW_EXIT_CODE\": \"1\"";
        client.put("/v1/jobs/fails", service("fails", bad, 0));
        client.awaitAnswer(
                "/v1/jobs/fails",
                job -> job.path("generation").asInt() == 3
                        && job.path("revertedTo").asInt() == 1
                        && job.path("outdated").asInt() == 0
                        && job.at("/tasks/running").asInt() == 3);
    }

    @Test
    void canaryWaits_untilItIsPromoted() {
        client.post("/v1/jobs", service("coal", "", 1));
        awaitRunning("coal", 3);
        client.put("/v1/jobs/coal", service("coal", "\"CELLA_HOLLOW_RUNTIME_MILLIS\": \"1000000\"", 1));
        JsonNode waits = client.awaitAnswer(
                "/v1/jobs/coal",
                job -> job.path("awaitsPromotion").asBoolean()
                        && job.path("update").asText().contains("promote"));
        assertThat(waits.path("outdated").asInt()).isEqualTo(2);
        client.post("/v1/jobs/coal:promote", "{}");
        awaitRunning("coal", 3, 3);
    }

    /** The deadline is an hour away: its scheduler moves the task before. */
    @Test
    void serviceOnAMachineThatDrainsUntilADeadline_movesBeforeIt() {
        client.post("/v1/jobs", service("moved", "", 0));
        awaitRunning("moved", 3);
        String machine = client.get("/v1/tasks/moved/main/0").path("machine").asText();
        client.post("/v1/machines/" + machine + ":drain", "{\"deadline\": \"1h\"}");
        client.awaitAnswer(
                "/v1/tasks/moved/main/0",
                task -> task.path("state").asText().equals("RUNNING")
                        && task.path("attempt").asInt() == 2
                        && !task.path("machine").asText().equals(machine));
        client.post("/v1/machines/" + machine + ":ready", "{}");
        awaitRunning("moved", 3);
    }

    @Test
    void importantJob_takesThePlaceOfAnother_whichSaysWhoItWas() {
        client.awaitDecision(
                "PUT",
                "/v1/machines/alone",
                "{\"capacity\": {\"cpuMilli\": 1000, \"memoryMib\": 1024},"
                        + " \"attributes\": {\"kind\": \"alone\"}}");
        client.post("/v1/jobs", onAlone("humble", 10));
        client.awaitTask("humble/main/0", "PLACED");
        client.post("/v1/jobs", onAlone("noble", 90));
        client.awaitTask("noble/main/0", "PLACED");
        client.awaitTask("humble/main/0", "PENDING");
        JsonNode steps = client.get("/v1/timeline?job=humble").path("steps");
        assertThat(steps).anySatisfy(step -> {
            assertThat(step.path("reason").asText()).isEqualTo("PREEMPTED");
            assertThat(step.path("by").asText()).isEqualTo("noble/main/0");
        });
        assertThat(client.get("/v1/jobs/humble:explain")
                        .path("preemptedBy")
                        .path(0)
                        .asText())
                .contains("noble/main/0");
    }

    @Test
    void jobOverItsQuota_sleepsWithTheReason_andWakesWhenTheLimitMoves() {
        client.awaitDecision("PUT", "/v1/pools/narrow", "{\"limit\": {\"cpuMilli\": 50}}");
        client.post("/v1/jobs", service("quota", "", 0).replace("\"type\"", "\"pool\": \"narrow\", \"type\""));
        client.awaitAnswer(
                "/v1/jobs/quota:explain", said -> said.path("summary").asText().contains("narrow"));
        client.awaitDecision("PUT", "/v1/pools/narrow", "{\"limit\": {\"cpuMilli\": 1000}}");
        awaitRunning("quota", 3);
    }

    private static void awaitRunning(String job, int tasks) {
        awaitRunning(job, tasks, 1);
    }

    private static void awaitRunning(String job, int tasks, int generation) {
        client.awaitAnswer(
                "/v1/jobs/" + job,
                row -> row.path("generation").asInt() == generation
                        && row.path("outdated").asInt() == 0
                        && row.at("/tasks/running").asInt() == tasks);
    }

    private static String service(String name, String env, int canary) {
        return """
                {"name": "%s", "type": "service", "groups": [{"count": 3, "resources": {"cpuMilli": 100, "memoryMib": 16},
                  "run": {"command": ["/bin/sleep", "1000"], "env": {%s}}, "restart": {"delay": "100ms"},
                  "constraints": [{"attribute": "hollow", "operator": "exists"}],
                  "update": {"healthyAfter": "200ms", "deadline": "3s", "canary": %d}}]}\
                """.formatted(name, env, canary);
    }

    private static String onAlone(String name, int priority) {
        return """
                {"name": "%s", "type": "batch", "priority": %d, "groups": [{"resources": {"cpuMilli": 1000, "memoryMib": 16},
                  "run": {"command": ["/bin/sleep", "1000"]},
                  "constraints": [{"attribute": "kind", "operator": "eq", "value": "alone"}]}]}\
                """.formatted(name, priority);
    }
}
