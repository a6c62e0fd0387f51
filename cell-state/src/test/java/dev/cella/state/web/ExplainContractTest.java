package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void jobWhoseSchedulerNobodyRuns_saysSo() {
        submit("nobody", "lonely", 2);

        JsonNode explained = CELL.get("/v1/jobs/lonely:explain").json();
        Golden.check("explain/nobody", explained);
    }

    @Test
    void jobThatWasLeftOut_saysWhatItsSchedulerSaid() {
        CELL.putMachine("m-full", 500, 8192);
        submit("planner", "waits", 2);
        long session = CELL.put("/v1/schedulers/planner/sessions/one", "{\"lease\": \"1h\"}")
                .json()
                .get("session")
                .asLong();
        assertThat(CELL.get("/v1/jobs/waits:explain").json().get("summary").asText())
                .contains("has not said yet");
        CELL.post(
                "/v1/transactions",
                "{\"id\":\"planner-1\",\"scheduler\":\"planner\",\"session\":%d,\"claims\":[{\"task\":\"waits/main/0\",\"machine\":\"m-full\"}]}"
                        .formatted(session));
        long job = CELL.get("/v1/jobs/waits").json().get("submittedVersion").asLong();
        Reply said = CELL.post("/v1/schedulers/planner/sessions/one:report", """
            {"session": %d, "jobs": [{"jobVersion": %d, "phase": "ASLEEP", "attempts": 1,
              "wakesOn": ["a machine that gains room for 500 cpuMilli, 64 memoryMib"], "unplaced": [
              {"group": 0, "tasks": 1, "sentence": "1 machine lacks cpuMilli",
               "reasons": [{"reason": "LACKS", "dimension": "cpuMilli", "machines": 1, "example": "m-full"}],
               "largestFree": {"machine": "m-full", "free": {"cpuMilli": 0, "memoryMib": 8128}}}]}]}\
            """.formatted(session, job));
        assertThat(said.status()).as(said.body()).isEqualTo(200);

        Golden.check("explain/waits", CELL.get("/v1/jobs/waits:explain").json());
    }

    /** The scheduler says what no machine has; the cell says how to get it. */
    @ParameterizedTest
    @CsvSource({
        "'\"reason\": \"EXCLUDED\", \"detail\": \"images exists\"', 'podman, crun or runc'",
        "'\"reason\": \"EXCLUDED\", \"detail\": \"isolation in full\"', 'isolation.why'",
        "'\"reason\": \"LACKS\", \"dimension\": \"ports\"', '20000-31999'"
    })
    void whatNoMachineOffers_isExplainedWithWhatToDo(String reason, String help) {
        String name = "missing-" + Integer.toHexString(help.hashCode());
        submit(name, name, 1);
        long session = CELL.put("/v1/schedulers/" + name + "/sessions/one", "{\"lease\": \"1h\"}")
                .json()
                .get("session")
                .asLong();
        long job = CELL.get("/v1/jobs/" + name).json().get("submittedVersion").asLong();
        CELL.post("/v1/schedulers/" + name + "/sessions/one:report", """
            {"session": %d, "jobs": [{"jobVersion": %d, "phase": "ASLEEP", "attempts": 1, "unplaced": [
              {"group": 0, "tasks": 1, "sentence": "x", "neverPlaceable": true, "reasons": [{%s, "machines": 1}]}]}]}\
            """.formatted(session, job, reason))
                .json();

        assertThat(CELL.get("/v1/jobs/" + name + ":explain")
                        .json()
                        .at("/groups/0/helps/0")
                        .asText())
                .contains(help);
    }

    @Test
    void portThatNoMachineOffers_isExplainedWithWhatToDo() {
        CELL.put(
                "/v1/machines/m-ports",
                "{\"capacity\": {\"cpuMilli\": 500, \"memoryMib\": 8192}, \"members\": {\"ports\": \"20000-31999\"}}");
        for (String port : List.of("15000", "20001")) {
            String job = RunningCell.job("port-" + port, 1)
                    .replace("\"run\"", "\"ports\": {\"web\": " + port + "}, \"run\"")
                    .replace("\"type\"", "\"scheduler\": \"porter\", \"type\"");
            Reply answer = CELL.post("/v1/jobs", job);
            assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        }
        assertThat(CELL.get("/v1/jobs/port-15000:explain")
                        .json()
                        .at("/groups/0/helps/0")
                        .asText())
                .contains("a machine that offers port 15000", "--member ports=");
        assertThat(CELL.get("/v1/jobs/port-20001:explain")
                        .json()
                        .at("/groups/0/helps")
                        .isEmpty())
                .isTrue();
    }

    /** A plan that waits for a time, or names no wake, waits for no machine. */
    @Test
    void whatAJobWaitsFor_isWhatItsSchedulerNamed() {
        submit("timer", "timed", 1);
        long session = CELL.put("/v1/schedulers/timer/sessions/one", "{\"lease\": \"1h\"}")
                .json()
                .get("session")
                .asLong();
        long job = CELL.get("/v1/jobs/timed").json().get("submittedVersion").asLong();
        CELL.post("/v1/schedulers/timer/sessions/one:report", """
            {"session": %d, "jobs": [{"jobVersion": %d, "phase": "ASLEEP", "wakesIn": "250ms", "unplaced": [
              {"group": 0, "tasks": 1, "sentence": "it waits for a better machine"}]}]}\
            """.formatted(session, job));

        JsonNode explained = CELL.get("/v1/jobs/timed:explain").json();

        assertThat(explained.get("wakesOn"))
                .extracting(JsonNode::asText)
                .containsExactly("its next turn, in at most 250 ms");
    }

    @Test
    void jobThatWaitsForItsTurn_hasAPlaceInTheQueue() {
        JsonNode explained = said("turn", "\"phase\": \"READY\", \"queuePlace\": 3");

        assertThat(explained.get("summary").asText())
                .isEqualTo("1 task of turn pending: it waits for its turn, as number 3 in its scheduler's queue");
        assertThat(explained.get("queuePlace").asInt()).isEqualTo(3);
    }

    /** A report is about the first 500 jobs. */
    @Test
    void jobBehindThoseOfTheReport_saysSo() {
        submit("many", "late", 1);
        long session = CELL.put("/v1/schedulers/many/sessions/one", "{\"lease\": \"1h\"}")
                .json()
                .get("session")
                .asLong();
        String others = IntStream.rangeClosed(1, 500)
                .mapToObj(job -> "{\"jobVersion\": " + (1_000_000 + job) + ", \"phase\": \"ASLEEP\"}")
                .collect(Collectors.joining(", "));
        Reply said = CELL.post(
                "/v1/schedulers/many/sessions/one:report",
                "{\"session\": " + session + ", \"jobs\": [" + others + "]}");
        assertThat(said.status()).as(said.body()).isEqualTo(200);

        assertThat(CELL.get("/v1/jobs/late:explain").json().get("summary").asText())
                .isEqualTo("1 task of late pending: scheduler many reports only on its 500 oldest waiting jobs, and"
                        + " late waits behind them");
    }

    @Test
    void jobThatBacksOff_saysUntilWhen() {
        JsonNode explained = said(
                "rests",
                "\"phase\": \"RESTING\", \"attempts\": 4, \"wakesIn\": \"800ms\", \"failure\": \"the planner throws\"");

        assertThat(explained.get("summary").asText())
                .isEqualTo("1 task of rests pending: it backs off for at most 800 ms after attempt 4, of which there is"
                        + " no plan: the planner throws");
        assertThat(explained.get("triedAgainIn").asText()).isEqualTo("800ms");
    }

    @Test
    void jobThatWaitsForOthers_namesThem() {
        JsonNode explained = said("behind", """
            "phase": "ASLEEP", "unplaced": [{"group": 0, "tasks": 1, "sentence": "2 machines have the room held for job gang",
             "reasons": [{"reason": "HELD", "detail": "job gang", "machines": 2, "example": "m-1"},
                         {"reason": "AFTER", "detail": "map (3 of 5 not over)", "machines": 0}]}]""");

        assertThat(explained.at("/groups/0/reasons/0/reason").asText()).isEqualTo("HELD");
        assertThat(explained.at("/groups/0/reasons/0/detail").asText()).isEqualTo("job gang");
        assertThat(explained.at("/groups/0/reasons/1/detail").asText()).isEqualTo("map (3 of 5 not over)");
        assertThat(explained.get("summary").asText()).endsWith("2 machines have the room held for job gang");
    }

    @Test
    void jobOfAPausedScheduler_saysSo_andWhatItWaitsFor() {
        said("paused", "\"phase\": \"ASLEEP\"");
        CELL.post("/v1/schedulers/of-paused:pause", "{}");
        JsonNode explained = CELL.get("/v1/jobs/paused:explain").json();

        assertThat(explained.get("summary").asText()).isEqualTo("paused is not planned: scheduler of-paused is paused");
        assertThat(explained.get("wakesOn").get(0).asText()).isEqualTo("scheduler of-paused being resumed");
    }

    /** The explanation of a job of which its scheduler says that. */
    private static JsonNode said(String job, String report) {
        String scheduler = "of-" + job;
        submit(scheduler, job, 1);
        long session = CELL.put("/v1/schedulers/" + scheduler + "/sessions/one", "{\"lease\": \"1h\"}")
                .json()
                .get("session")
                .asLong();
        long version =
                CELL.get("/v1/jobs/" + job).json().get("submittedVersion").asLong();
        Reply said = CELL.post(
                "/v1/schedulers/" + scheduler + "/sessions/one:report",
                "{\"session\": %d, \"jobs\": [{\"jobVersion\": %d, %s}]}".formatted(session, version, report));
        assertThat(said.status()).as(said.body()).isEqualTo(200);
        return CELL.get("/v1/jobs/" + job + ":explain").json();
    }

    @Test
    void jobWithoutPendingTasks_saysSo() {
        submit("nobody", "stopped", 1);
        CELL.delete("/v1/jobs/stopped");
        assertThat(CELL.get("/v1/jobs/stopped:explain").json().get("summary").asText())
                .isEqualTo("stopped has no pending task");
    }

    @Test
    void jobWhoseTasksFailed_saysWhyAndWhatToDo() {
        CELL.putMachine("m-fail", 4000, 8192);
        submit("batch", "fails", 2);
        CELL.place("fails-1", "fails/main/0", "m-fail");
        CELL.post(
                "/v1/tasks/fails/main/0:status",
                "{\"attempt\": 1, \"state\": \"FAILED\", \"reason\": \"USER_NOT_FOUND\"}");
        CELL.delete("/v1/jobs/fails");

        JsonNode explained = CELL.get("/v1/jobs/fails:explain").json();

        assertThat(explained.get("summary").asText())
                .startsWith(
                        "fails has no pending task, 1 failed with USER_NOT_FOUND: its machine has no user run.user");
        assertThat(explained.get("failures")).hasSize(1);
        assertThat(explained.get("failures").get(0).get("example").asText()).isEqualTo("fails/main/0");
    }

    /** Each fault that an agent finds, and the field or the command that helps. */
    @ParameterizedTest
    @CsvSource({
        "COMMAND_NOT_FOUND, whole path",
        "DIRECTORY_NOT_FOUND, run.directory",
        "DIRECTORY_FORBIDDEN, run.directory",
        "USER_NOT_FOUND, run.user",
        "NOT_ISOLATED, run.isolation",
        "NOT_STARTED, job logs --stderr",
        "OUT_OF_MEMORY, memoryMib",
        "OUT_OF_DISK, diskMib",
        "TIMEOUT, run.timeout",
        "UNHEALTHY, correct the check",
        "DOES_NOT_FIT, a fault of Cella"
    })
    void failureThatAnAgentFound_isExplainedWithWhatToDo(String reason, String help) {
        String name = "bad-" + reason.toLowerCase(Locale.ROOT).replace('_', '-');
        CELL.putMachine("m-bad", 4000, 8192);
        submit("batch", name, 1);
        CELL.place(name, name + "/main/0", "m-bad");
        CELL.post(
                "/v1/tasks/" + name + "/main/0:status",
                "{\"attempt\": 1, \"state\": \"FAILED\", \"reason\": \"" + reason + "\"}");

        JsonNode failure = CELL.get("/v1/jobs/" + name + ":explain").json().at("/failures/0");
        assertThat(failure.get("reason").asText()).isEqualTo(reason);
        assertThat(failure.get("advice").asText()).contains(help);
        assertThat(CELL.get("/v1/tasks/" + name + "/main/0")
                        .json()
                        .get("reason")
                        .asText())
                .isEqualTo(reason);
        CELL.delete("/v1/jobs/" + name);
    }

    @Test
    void jobThatIsNot_isNotFound() {
        CELL.get("/v1/jobs/nosuch:explain").problem(404, "not-found");
    }

    private static void submit(String scheduler, String name, int count) {
        String job = RunningCell.job(name, count).replace("\"type\"", "\"scheduler\": \"" + scheduler + "\", \"type\"");
        assertThat(CELL.post("/v1/jobs", job).status()).isEqualTo(201);
    }
}
