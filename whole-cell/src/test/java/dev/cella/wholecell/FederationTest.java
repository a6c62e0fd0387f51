package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cella dev --cells 3}: a job of the first cell runs in all three. */
@Timeout(600)
class FederationTest {
    private static final int TASKS = 6;

    @TempDir
    Path folder;

    @Test
    void jobOfTheHome_runsInThreeCells_andIsReadAndStoppedInTheHome() throws IOException {
        try (CellaProcess dev = dev()) {
            String address = dev.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
            dev.awaitLine("(ready in)");
            OutsideClient home = new OutsideClient(
                    address, Files.readString(folder.resolve("data/token")).strip());
            home.post("/v1/jobs", megha(Jobs.batch("hello", TASKS, "/bin/sh", "-c", "echo ${index}")));
            home.awaitJob("hello", "FINISHED");
            assertThat(machines(home, "hello")).hasSize(3).contains("cell-dev-2", "cell-dev-3");
            for (int index = 0; index < TASKS; index++) {
                assertThat(home.text("/v1/tasks/hello/main/" + index + ":logs")).isEqualTo(index + "\n");
            }

            home.post("/v1/jobs", megha(Jobs.batch("long", TASKS, "/bin/sleep", "600")));
            home.awaitAnswer(
                    "/v1/jobs/long", job -> job.path("tasks").path("running").asInt() == TASKS);
            assertThat(machines(home, "long")).hasSize(3);
            federationIsShown(home);
            assertThat(home.tryToSend("DELETE", "/v1/jobs/long", "")).isPresent();
            home.awaitAnswer(
                    "/v1/jobs/long", job -> job.path("tasks").path("killed").asInt() == TASKS);
            dev.terminate();
        }
    }

    /** A scheduler reports every second or so: first before it has seen all cells. */
    private static void federationIsShown(OutsideClient home) {
        home.awaitAnswer(
                "/v1/federation",
                federation ->
                        federation.path("cells").findValuesAsText("state").equals(List.of("HOME", "READY", "READY"))
                                && sum(federation, "tasksPlaced") == TASKS - placedAtHome(home)
                                && sum(federation, "lagSeconds") < 60);
        assertThat(home.get("/v1/federation").path("cells").findValuesAsText("machine"))
                .containsExactly("cell-dev-2", "cell-dev-3");
    }

    private static int placedAtHome(OutsideClient home) {
        int placed = 0;
        for (JsonNode task : home.get("/v1/tasks?job=long").path("tasks")) {
            placed += task.path("machine").asText().startsWith("cell-dev-") ? 0 : 1;
        }
        return placed;
    }

    private static double sum(JsonNode federation, String field) {
        double sum = 0;
        for (JsonNode cell : federation.path("cells")) {
            sum += cell.path(field).asDouble();
        }
        return sum;
    }

    private static String megha(String job) {
        return job.replaceFirst("\\{", "{\"scheduler\": \"megha\", ");
    }

    private static Set<String> machines(OutsideClient home, String job) {
        Set<String> machines = new HashSet<>();
        for (JsonNode task : home.get("/v1/tasks?job=" + job).path("tasks")) {
            machines.add(task.path("machine").asText());
        }
        return machines;
    }

    private CellaProcess dev() {
        return CellaProcess.start(
                DevTest.AS_THE_LAUNCHER,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                List.of(
                                "dev",
                                "--cells",
                                "3",
                                "--port",
                                "0",
                                "--data",
                                folder.resolve("data").toString())
                        .toArray(String[]::new));
    }
}
