package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.EventStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Timelines, series, the past of the feed, and tables as CSV. */
class HistoryContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static List<String> texts(JsonNode list, String field) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.get(field).asText()));
        return texts;
    }

    @Test
    void timeline_ofAJob_hasEveryStepOfItsTasks() {
        CELL.putMachine("m-steps", 4000, 8192);
        CELL.submit("steps", 1);
        CELL.place("steps-1", "steps/main/0", "m-steps");
        CELL.post("/v1/tasks/steps/main/0:status", "{\"attempt\":1,\"state\":\"RUNNING\"}");
        CELL.post("/v1/tasks/steps/main/0:status", "{\"attempt\":1,\"state\":\"FAILED\",\"exitCode\":3}");

        JsonNode steps = CELL.get("/v1/timeline?job=steps").json().get("steps");
        assertThat(texts(steps, "step")).containsExactly("SUBMITTED", "PLACED", "RUNNING", "FAILED");
        assertThat(texts(steps, "task")).containsExactly("steps", "steps/main/0", "steps/main/0", "steps/main/0");
        assertThat(steps.get(1).get("machine").asText()).isEqualTo("m-steps");
        assertThat(steps.get(1).get("attempt").asInt()).isEqualTo(1);
        assertThat(steps.get(1).get("transaction").asText()).isEqualTo("steps-1");
        assertThat(steps.get(3).get("exitCode").asInt()).isEqualTo(3);
    }

    /** Its row counts the attempt that is to come; its steps are those of the attempts before. */
    @Test
    void timeline_ofATaskThatWaitsAgain_countsTheAttemptsThatWerePlaced() {
        CELL.putMachine("m-again", 4000, 8192);
        CELL.submit("again", 1);
        CELL.place("again-1", "again/main/0", "m-again");
        CELL.post("/v1/tasks/again/main/0:status", "{\"attempt\":1,\"state\":\"RUNNING\"}");
        CELL.post("/v1/tasks/again/main/0:status", "{\"attempt\":1,\"state\":\"FAILED\",\"exitCode\":3}");
        CELL.post("/v1/transactions", """
                {"id": "again-2", "scheduler": "batch",
                 "steps": [{"kind": "AGAIN", "task": "again/main/0", "attempt": 1}]}""");

        JsonNode steps = CELL.get("/v1/timeline?job=again").json().get("steps");
        assertThat(texts(steps, "step")).containsExactly("SUBMITTED", "PLACED", "RUNNING", "FAILED", "PENDING");
        assertThat(steps.get(1).get("attempt").asInt()).isEqualTo(1);
        assertThat(steps.get(3).get("attempt").asInt()).isEqualTo(1);
    }

    @Test
    void timeline_ofAMachine_hasWhatWasPlacedThere() {
        CELL.putMachine("m-held", 4000, 8192);
        CELL.submit("held", 2);
        CELL.place("held-1", "held/main/0", "m-held", "held/main/1", "m-held");

        JsonNode steps = CELL.get("/v1/timeline?machine=m-held").json().get("steps");
        assertThat(texts(steps, "task")).containsExactly("held/main/0", "held/main/1");
    }

    @Test
    void timeline_ofTheCell_hasMachinesAndSchedulers() {
        CELL.putMachine("m-marked", 4000, 8192);
        CELL.post("/v1/machines/m-marked:drain", "{\"tasks\":\"keep\"}");
        CELL.put("/v1/schedulers/marked/sessions/one", "{\"type\":\"batch\"}");

        JsonNode marks = CELL.get("/v1/timeline").json().get("marks");
        assertThat(texts(marks, "mark")).contains("LEADER", "MACHINE_REGISTERED", "MACHINE_DRAINING", "SCHEDULER_CAME");
        assertThat(texts(marks, "name")).contains("m-marked", "marked/one");

        CELL.delete("/v1/schedulers/marked/sessions/one");
        JsonNode left = CELL.get("/v1/timeline").json().get("marks");
        assertThat(left.get(left.size() - 1).get("mark").asText()).isEqualTo("SCHEDULER_LEFT");
        assertThat(left.get(left.size() - 1).get("name").asText()).isEqualTo("marked/one");
    }

    @Test
    void timeline_ofWhatNeverWas_isNotFound() {
        CELL.get("/v1/timeline?job=nosuch").problem(404, "not-found");
        CELL.get("/v1/timeline?machine=nosuch").problem(404, "not-found");
        assertThat(CELL.get("/v1/timeline?from=yesterday").fault("from")).contains("a version (812) or a time");
        assertThat(CELL.get("/v1/timeline?from=9&to=8").fault("to")).contains("before from");
    }

    @Test
    void series_haveAPointASecond() {
        await().untilAsserted(() -> {
            JsonNode pending =
                    CELL.get("/v1/series?names=pending&from=" + aMinuteAgo()).json();
            assertThat(pending.get("step").asText()).isEqualTo("1s");
            assertThat(pending.at("/series/0/name").asText()).isEqualTo("pending");
            assertThat(pending.at("/series/0/unit").asText()).isEqualTo("tasks");
            assertThat(pending.at("/series/0/points").size()).isPositive();
            assertThat(pending.at("/series/0/points/0").has("version")).isTrue();
        });
        assertThat(CELL.get("/v1/series").json().get("series").size()).isEqualTo(6);
        assertThat(CELL.get("/v1/series?names=pendng").fault("names")).contains("did you mean pending?");
    }

    @Test
    void series_ofAMachine_sayWhatWasClaimedOnIt() {
        CELL.putMachine("m-curve", 4000, 8192);
        CELL.submit("curve", 1);
        CELL.place("curve-1", "curve/main/0", "m-curve");
        JsonNode placedSeries =
                CELL.get("/v1/series?machine=m-curve&names=cpuMilli").json();
        assertThat(placedSeries.at("/series").size()).isEqualTo(1);
        JsonNode now = placedSeries.at("/series/0/points");
        long claimed = now.get(now.size() - 1).get("value").asLong();
        assertThat(claimed).isPositive();
        await("a sample of it, besides what is claimed now").untilAsserted(() -> {
            JsonNode kept =
                    CELL.get("/v1/series?machine=m-curve&names=cpuMilli").json();
            assertThat(texts(kept.at("/series/0/points"), "value"))
                    .filteredOn(value -> value.equals(String.valueOf(claimed)))
                    .hasSizeGreaterThan(1);
        });

        CELL.post("/v1/tasks/curve/main/0:status", "{\"attempt\":1,\"state\":\"RUNNING\"}");
        CELL.post("/v1/tasks/curve/main/0:status", "{\"attempt\":1,\"state\":\"FINISHED\",\"exitCode\":0}");
        JsonNode points = CELL.get("/v1/series?machine=m-curve").json().at("/series/0/points");
        List<String> values = texts(points, "value");
        assertThat(values).contains(String.valueOf(claimed));
        assertThat(points.get(points.size() - 1).get("value").asLong()).isZero();

        assertThat(CELL.get("/v1/series?machine=m-curve&format=csv&table=series.points")
                        .body()
                        .lines()
                        .findFirst()
                        .orElseThrow())
                .isEqualTo("name,unit,points.at,points.version,points.value");
        assertThat(CELL.get("/v1/series?machine=m-curve&names=cpuMili").fault("names"))
                .contains("did you mean cpuMilli?");
        CELL.get("/v1/series?machine=nosuch").problem(404, "not-found");
    }

    private static String aMinuteAgo() {
        return Instant.now().minusSeconds(60).toString();
    }

    @Test
    void feedAt_isTheCellAsItWas_andThenWhatFollowed() throws Exception {
        CELL.putMachine("m-past", 4000, 8192);
        CELL.submit("past", 1);
        long before = CELL.get("/v1/cell").version();
        CELL.place("past-1", "past/main/0", "m-past");

        try (EventStream events = CELL.events("/v1/feed?at=" + before + "&machine=m-past")) {
            EventStream.Event then = events.next();
            assertThat(then.event()).isEqualTo("snapshot");
            assertThat(then.version()).isEqualTo(before);
            assertThat(then.data().at("/changes/0/row/tasks").size()).isZero();
            EventStream.Event next = events.next();
            assertThat(next.event()).isEqualTo("change");
            assertThat(next.version()).isEqualTo(before + 1);
        }
    }

    @Test
    void feedAt_aVersionThatIsNotKept_saysSo_andGivesTheCellAsItIs() throws Exception {
        try (EventStream events = CELL.events("/v1/feed?at=99999999")) {
            EventStream.Event resync = events.next();
            assertThat(resync.event()).isEqualTo("resync");
            assertThat(resync.data().get("reason").asText()).contains("version 99999999 is not kept");
            assertThat(events.next().event()).isEqualTo("snapshot");
        }
        assertThat(CELL.get("/v1/feed?at=1&from=2").fault("at")).contains("snapshot");
    }

    @Test
    void feedEvery_hasEachRowOnce_asItIsThen() throws Exception {
        CELL.putMachine("m-every", 4000, 8192);
        CELL.submit("every", 3);
        try (EventStream events = CELL.events("/v1/feed?every=300ms&kinds=machine&machine=m-every")) {
            assertThat(events.next().event()).isEqualTo("snapshot");
            for (int task = 0; task < 3; task++) {
                CELL.place("every-" + task, "every/main/" + task, "m-every");
            }
            EventStream.Event change = events.next();
            while (change.data().at("/changes/0/row/tasks").size() < 3) {
                change = events.next();
            }
            assertThat(change.data().get("changes").size()).isEqualTo(1);
            assertThat(change.data().has("transaction")).isFalse();
        }
        assertThat(CELL.get("/v1/feed?every=1ms").fault("every")).contains("100ms to 10s");
        assertThat(CELL.get("/v1/feed?kinds=tsk").fault("kinds")).contains("machine, job, task, session");
    }

    @Test
    void feedWithFigures_saysThemBesideTheRows() throws Exception {
        try (EventStream events = CELL.events("/v1/feed?figures=true")) {
            EventStream.Event event = events.next();
            while (!event.event().equals("figures")) {
                event = events.next();
            }
            assertThat(RunningCell.names(event.data())).containsExactly("schedulers", "conflicts", "ledger", "series");
            assertThat(event.data().at("/conflicts/version").isNumber()).isTrue();
        }
    }

    @Test
    void aList_isATableInCsv() {
        CELL.putMachine("m-csv-1", 1000, 64);
        RunningCell.Reply table = CELL.get("/v1/machines?format=csv&limit=1");

        assertThat(table.header("content-type")).startsWith("text/csv");
        assertThat(table.body().lines().findFirst().orElseThrow())
                .startsWith("name,status,capacity.cpuMilli,capacity.memoryMib,free.cpuMilli");
        assertThat(table.body().lines()).hasSize(2);
        assertThat(table.header("cella-version")).isNotEmpty();
        assertThat(CELL.get("/v1/conflicts?format=csv&table=matrix").status()).isEqualTo(200);
        assertThat(CELL.get("/v1/conflicts?format=csv&table=nosuch").fault("table"))
                .contains("matrix");
        assertThat(CELL.get("/v1/machines/m-csv-1?format=csv&table=answer")
                        .body()
                        .lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("name,status,capacity.cpuMilli");
        assertThat(CELL.get("/openapi.json?format=csv").body())
                .startsWith("method,path,")
                .contains("/v1/series");
        assertThat(CELL.get("/v1/machines?format=xml").fault("format")).contains("json or csv");
        assertThat(CELL.post("/v1/jobs?format=csv", "{}").fault("format")).isNotEmpty();
    }

    @Test
    void whatASpreadsheetWouldRun_isWrittenAsText() {
        CELL.put(
                "/v1/machines/m-formula",
                "{\"capacity\":{\"cpuMilli\":1,\"memoryMib\":1},\"attributes\":{\"a\":\"=1+1,\\\"x\\\"\"}}");
        String row = CELL.get("/v1/machines?format=csv&limit=1000")
                .body()
                .lines()
                .filter(line -> line.startsWith("m-formula"))
                .findFirst()
                .orElseThrow();
        assertThat(row).contains("\"'=1+1,\"\"x\"\"\"");
    }
}
