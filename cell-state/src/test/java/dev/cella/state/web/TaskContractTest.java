package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TaskContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void get_neverPlaced_isPending() {
        CELL.submit("fresh", 2);

        Golden.check("tasks/pending", CELL.get("/v1/tasks/fresh/main/1").json());
    }

    /** A watcher waits with {@code changedAfter} for a newer version. */
    @Test
    void get_neverPlaced_changesWithItsJob() {
        CELL.submit("watched", 1);
        long submitted = changedVersion();
        CELL.keepVersionsOfUpdates();
        CELL.put("/v1/jobs/watched", RunningCell.job("watched", 1).replace("500", "600"));
        long updated = changedVersion();
        CELL.delete("/v1/jobs/watched");

        assertThat(updated).isGreaterThan(submitted);
        assertThat(changedVersion()).isGreaterThan(updated);
    }

    private static long changedVersion() {
        return CELL.get("/v1/tasks/watched/main/0").json().get("changedVersion").asLong();
    }

    @Test
    void get_placed_namesItsMachineAndScheduler() {
        CELL.putMachine("m-get", 4000, 8192);
        CELL.submit("placed", 1);
        CELL.place("placed-1", "placed/main/0", "m-get");

        Golden.check("tasks/placed", CELL.get("/v1/tasks/placed/main/0").json());
        assertThat(CELL.get("/v1/machines/m-get").json().get("tasks").get(0).asText())
                .isEqualTo("placed/main/0");
    }

    @Test
    void get_unknown_isNotFound() {
        CELL.submit("known", 1);

        CELL.get("/v1/tasks/known/main/1").problem(404, "not-found");
        CELL.get("/v1/tasks/known/other/0").problem(404, "not-found");
        CELL.get("/v1/tasks/nosuch/main/0").problem(404, "not-found");
        assertThat(CELL.get("/v1/tasks/known/main/first").fault("index")).isNotEmpty();
        assertThat(CELL.post("/v1/tasks/known/main/0:start", "")
                        .problem(404, "not-found")
                        .get("hint")
                        .asText())
                .contains(":logs")
                .contains(":status");
    }

    @Test
    void report_lifeOfAnAttempt_isShown() {
        CELL.putMachine("m-report", 4000, 8192);
        CELL.submit("reported", 1);
        CELL.place("reported-1", "reported/main/0", "m-report");

        Reply running = CELL.post("/v1/tasks/reported/main/0:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}");
        Reply finished = CELL.post(
                "/v1/tasks/reported/main/0:status", "{\"attempt\": 1, \"state\": \"finished\", \"exitCode\": 0}");

        assertThat(running.json().get("state").asText()).isEqualTo("RUNNING");
        assertThat(running.json().has("exitCode")).isFalse();
        Golden.check("tasks/finished", finished.json());
        assertThat(CELL.get("/v1/jobs/reported").json().get("state").asText()).isEqualTo("FINISHED");
    }

    @Test
    void failedForGood_isOfTheLastAttempt() {
        CELL.putMachine("m-failed", 4000, 8192);
        CELL.post("/v1/jobs", """
                {"name": "failed", "type": "batch", "groups": [{"resources": {"cpuMilli": 100, "memoryMib": 16},
                 "restart": {"attempts": 1}, "run": {"command": ["work"]}}]}""");
        CELL.place("failed-1", "failed/main/0", "m-failed");

        assertThat(fail(1).has("failedForGood")).isFalse();
        CELL.post("/v1/transactions", """
                {"id": "failed-2", "scheduler": "batch",
                 "steps": [{"kind": "AGAIN", "task": "failed/main/0", "attempt": 1}]}""");
        CELL.place("failed-3", "failed/main/0", "m-failed");
        assertThat(fail(2).get("failedForGood").asBoolean()).isTrue();
    }

    private static JsonNode fail(int attempt) {
        String path = "/v1/tasks/failed/main/0:status";
        CELL.post(path, "{\"attempt\": " + attempt + ", \"state\": \"RUNNING\"}");
        return CELL.post(path, "{\"attempt\": " + attempt + ", \"state\": \"FAILED\", \"exitCode\": 3}")
                .json();
    }

    @Test
    void report_illegalStep_isAConflict() {
        CELL.putMachine("m-illegal", 4000, 8192);
        CELL.submit("illegal", 2);
        CELL.place("illegal-1", "illegal/main/0", "m-illegal");

        CELL.post("/v1/tasks/illegal/main/0:status", "{\"attempt\": 1, \"state\": \"FINISHED\"}")
                .problem(409, "conflict");
        CELL.post("/v1/tasks/illegal/main/0:status", "{\"attempt\": 7, \"state\": \"RUNNING\"}")
                .problem(409, "conflict");
        CELL.post("/v1/tasks/illegal/main/1:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}")
                .problem(409, "conflict");
        CELL.post("/v1/tasks/illegal/main/0:status", "{\"attempt\": 1, \"state\": \"RUNNING\", \"placement\": \"1.0\"}")
                .problem(409, "conflict");
    }

    @Test
    void report_reasonThatOnlyTheCellGives_isRefused() {
        CELL.putMachine("m-reason", 4000, 8192);
        CELL.submit("reasons", 1);
        CELL.place("reasons-1", "reasons/main/0", "m-reason");
        String path = "/v1/tasks/reasons/main/0:status";

        assertThat(CELL.post(path, "{\"attempt\": 1, \"state\": \"FAILED\", \"reason\": \"copy\"}")
                        .fault("reason"))
                .contains("COPY");
        assertThat(CELL.get("/v1/tasks/reasons/main/0").json().get("state").asText())
                .isEqualTo("PLACED");
        assertThat(CELL.post(path, "{\"attempt\": 1, \"state\": \"FAILED\", \"reason\": \"timeout\"}")
                        .json()
                        .get("reason")
                        .asText())
                .isEqualTo("TIMEOUT");
    }

    @Test
    void report_checkOfARunningTask_isShownWhileItRuns_andCountedInItsJob() {
        CELL.putMachine("m-checked", 4000, 8192);
        CELL.post(
                "/v1/jobs",
                RunningCell.job("checked", 2).replace("\"run\":", "\"check\": {\"command\": [\"true\"]}, \"run\":"));
        CELL.place("checked-1", "checked/main/0", "m-checked", "checked/main/1", "m-checked");
        String path = "/v1/tasks/checked/main/0:status";

        JsonNode unchecked = CELL.post(path, "{\"attempt\": 1, \"state\": \"RUNNING\", \"checked\": false}")
                .json();
        assertThat(unchecked.get("checked").asBoolean(true)).isFalse();
        assertThat(unchecked.has("reason")).isFalse();
        CELL.post("/v1/tasks/checked/main/1:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}");
        assertThat(CELL.get("/v1/tasks/checked/main/1").json().has("checked")).isFalse();
        assertThat(group().get("checked").asInt(-1)).isZero();
        assertThat(group().get("unchecked").asInt()).isOne();

        JsonNode checked = CELL.post(path, "{\"attempt\": 1, \"state\": \"RUNNING\", \"checked\": true}")
                .json();
        assertThat(checked.get("checked").asBoolean()).isTrue();
        assertThat(checked.get("startedAt")).isEqualTo(unchecked.get("startedAt"));
        assertThat(checked.get("changedVersion").asLong())
                .isGreaterThan(unchecked.get("changedVersion").asLong());
        assertThat(group().get("checked").asInt()).isOne();
        assertThat(group().get("unchecked").asInt(-1)).isZero();
        assertThat(CELL.get("/v1/jobs").body()).doesNotContain("unchecked");

        assertThat(CELL.post(path, "{\"attempt\": 1, \"state\": \"FAILED\", \"checked\": true}")
                        .fault("checked"))
                .contains("RUNNING");
        assertThat(CELL.post(path, "{\"attempt\": 1, \"state\": \"RUNNING\", \"reason\": \"checked\"}")
                        .fault("reason"))
                .contains("checked");
        assertThat(CELL.post(path, "{\"attempt\": 1, \"state\": \"FAILED\", \"exitCode\": 3}")
                        .json()
                        .has("checked"))
                .isFalse();
    }

    private static JsonNode group() {
        return CELL.get("/v1/jobs/checked").json().get("groups").get(0);
    }

    @Test
    void report_badInput_saysWhere() {
        CELL.submit("badreport", 1);
        String path = "/v1/tasks/badreport/main/0:status";

        assertThat(CELL.post(path, "{\"state\": \"RUNNING\"}").fault("attempt")).isNotEmpty();
        assertThat(CELL.post(path, "{\"attempt\": 1}").fault("state")).isNotEmpty();
        assertThat(CELL.post(path, "{\"attempt\": 1, \"state\": \"RUNING\"}").fault("state"))
                .contains("RUNNING");
        assertThat(CELL.post(path, "{\"attempt\": 1, \"state\": \"RUNNING\", \"placement\": \"x\"}")
                        .fault("placement"))
                .isNotEmpty();
        assertThat(CELL.post(path, "{\"index\": 3, \"attempt\": 1, \"state\": \"RUNNING\"}")
                        .fault("index"))
                .contains("path");
    }

    @Test
    void list_byJobMachineAndState_showsThoseAlone() {
        CELL.putMachine("m-list", 4000, 8192);
        CELL.submit("listed", 3);
        CELL.place("listed-1", "listed/main/1", "m-list");

        assertThat(CELL.get("/v1/tasks?job=listed").json().get("tasks")).hasSize(3);
        assertThat(CELL.get("/v1/tasks?job=listed&state=pending")
                        .json()
                        .get("tasks")
                        .findValuesAsText("task"))
                .containsExactly("listed/main/0", "listed/main/2");
        assertThat(CELL.get("/v1/tasks?machine=m-list").json().get("tasks").findValuesAsText("task"))
                .containsExactly("listed/main/1");
        assertThat(CELL.get("/v1/tasks?machine=m-list&state=placed&state=running")
                        .json()
                        .get("tasks")
                        .findValuesAsText("task"))
                .containsExactly("listed/main/1");
        assertThat(CELL.get("/v1/tasks?machine=m-list&state=pending").json().get("tasks"))
                .isEmpty();
        assertThat(CELL.get("/v1/tasks?machine=m-list&state=placed&job=paged")
                        .json()
                        .get("tasks"))
                .isEmpty();
        assertThat(CELL.get("/v1/tasks?machine=nowhere").json().get("tasks")).isEmpty();
        assertThat(CELL.get("/v1/tasks?machine=nowhere&state=running").json().get("tasks"))
                .isEmpty();
        assertThat(CELL.get("/v1/tasks?job=nosuch").json().get("tasks")).isEmpty();
        CELL.post("/v1/tasks/listed/main/1:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}");
        CELL.post("/v1/tasks/listed/main/1:status", "{\"attempt\": 1, \"state\": \"FINISHED\"}");
        assertThat(CELL.get("/v1/tasks?machine=m-list").json().get("tasks").findValuesAsText("state"))
                .as("it ended there")
                .containsExactly("FINISHED");
    }

    @Test
    void list_pages_areTogetherTheWholeList() {
        CELL.submit("paged", 5);
        Reply first = CELL.get("/v1/tasks?job=paged&limit=2");
        Reply second = CELL.get("/v1/tasks?job=paged&limit=2&pageToken="
                + first.json().get("nextPageToken").asText());
        Reply third = CELL.get("/v1/tasks?job=paged&limit=2&pageToken="
                + second.json().get("nextPageToken").asText());

        assertThat(second.json().get("tasks").findValuesAsText("task")).containsExactly("paged/main/2", "paged/main/3");
        assertThat(third.json().get("tasks").findValuesAsText("task")).containsExactly("paged/main/4");
        assertThat(third.json().has("nextPageToken")).isFalse();
        CELL.get("/v1/jobs?pageToken=" + first.json().get("nextPageToken").asText())
                .problem(410, "gone");
    }

    @Test
    void list_pageOfAListThatWasAskedForOtherwise_isRefused() {
        CELL.submit("filtered", 5);
        String token = CELL.get("/v1/tasks?job=filtered&limit=2&state=pending")
                .json()
                .get("nextPageToken")
                .asText();

        assertThat(CELL.get("/v1/tasks?job=paged&limit=2&state=pending&pageToken=" + token)
                        .fault("pageToken"))
                .contains("belongs to a list with other parameters");
        assertThat(CELL.get("/v1/tasks?limit=9&pageToken=" + token).json().get("tasks"))
                .hasSize(3);
        assertThat(CELL.get("/v1/tasks?state=pending&job=filtered&pageToken=" + token)
                        .json()
                        .get("tasks"))
                .hasSize(3);
    }

    @Test
    void logs_beforeItStartedOrWithoutAnAgent_areNotFound() {
        CELL.putMachine("m-logs", 4000, 8192);
        CELL.submit("silent", 1);

        assertThat(CELL.get("/v1/tasks/silent/main/0:logs")
                        .problem(404, "not-found")
                        .get("detail")
                        .asText())
                .contains("has not started");
        CELL.place("silent-1", "silent/main/0", "m-logs");
        assertThat(CELL.get("/v1/tasks/silent/main/0:logs")
                        .problem(404, "not-found")
                        .get("detail")
                        .asText())
                .contains("m-logs");
        CELL.get("/v1/tasks/nosuch/main/0:logs").problem(404, "not-found");
        assertThat(CELL.get("/v1/tasks/silent/main/0:logs?folow=true").fault("folow"))
                .contains("did you mean follow?");
        assertThat(CELL.get("/v1/tasks/silent/main/0:logs?stream=stdin").fault("stream"))
                .isNotEmpty();
    }
}
