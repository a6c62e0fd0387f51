package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Spare work over HTTP: claims of kind SPARE, the step UPGRADE, the right that bounds them, and what rows show of them. */
class SpareContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static void cell(String machine, String job) {
        CELL.put("/v1/machines/" + machine, "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4000}}");
        CELL.post("/v1/jobs", """
                {"name": "%s", "type": "batch", "scheduler": "%1$s", "groups": [{"count": 9, "resources":
                 {"cpuMilli": 1000, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                """.formatted(job));
    }

    private static JsonNode claim(String id, String kind, String job, int index, String machine) {
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "%s", "claims": [{"task": "%2$s/main/%d", "machine": "%s", "kind": "%s"}]}
                """.formatted(id, job, index, machine, kind))
                .json();
    }

    private static JsonNode upgrade(String id, String job, int index) {
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "%s", "steps": [{"task": "%2$s/main/%d", "step": "UPGRADE", "attempt": 1}]}
                """.formatted(id, job, index)).json();
    }

    private static long free(String machine) {
        return CELL.get("/v1/machines/" + machine).json().at("/free/cpuMilli").asLong();
    }

    @Test
    void spareTask_isShownBesideWhatIsFreeAndBecomesOneLikeAnyOther() {
        cell("s1", "bag");

        assertThat(claim("b1", "SPARE", "bag", 0, "s1").get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(free("s1")).isEqualTo(4_000);
        assertThat(CELL.get("/v1/machines/s1").json().at("/spare/cpuMilli").asLong())
                .isEqualTo(1_000);
        assertThat(CELL.get("/v1/tasks/bag/main/0").json().get("spare").asBoolean())
                .isTrue();

        JsonNode explained = CELL.get("/v1/jobs/bag:explain").json();
        assertThat(explained.get("spare").asInt()).isEqualTo(1);
        assertThat(explained.get("summary").asText())
                .endsWith("; 1 task of it runs as spare work and ends first when other work needs the room");

        assertThat(upgrade("b2", "bag", 0).get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(free("s1")).isEqualTo(3_000);
        assertThat(CELL.get("/v1/machines/s1").json().has("spare")).isFalse();
        assertThat(CELL.get("/v1/tasks/bag/main/0").json().has("spare")).isFalse();
        assertThat(upgrade("b3", "bag", 0).at("/results/0/reason").asText()).isEqualTo("ILLEGAL_STEP");
    }

    @Test
    void cellAndMetrics_countSpareTasks() {
        cell("s4", "counted");
        claim("c1", "SPARE", "counted", 0, "s4");

        long spare = CELL.get("/v1/cell").json().get("spareTasks").asLong();
        assertThat(spare).isPositive();
        assertThat(CELL.get("/metrics").body()).contains("cella_tasks_spare " + (double) spare);
    }

    @Test
    void spareTasks_endYoungestFirstForOtherWork() {
        cell("s2", "old");
        for (int index = 0; index < 4; index++) {
            claim("o" + index, "SPARE", "old", index, "s2");
        }

        assertThat(claim("p", "PLACE", "old", 8, "s2").get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(CELL.get("/v1/tasks/old/main/3").json().get("state").asText())
                .isEqualTo("PREEMPTED");
        assertThat(CELL.get("/v1/tasks/old/main/2").json().get("state").asText())
                .isEqualTo("PLACED");
    }

    @Test
    void sparePercentMax_boundsSpareTasks() {
        cell("s3", "bound");
        assertThat(CELL.put("/v1/schedulers/bound/rights", "{\"sparePercentMax\": 101}")
                        .body())
                .contains("sparePercentMax", "must be 0-100, is 101");

        JsonNode rights = CELL.put("/v1/schedulers/bound/rights", "{\"sparePercentMax\": 25}")
                .json();

        assertThat(rights.get("sparePercentMax").asInt()).isEqualTo(25);
        assertThat(claim("n1", "SPARE", "bound", 0, "s3").get("outcome").asText())
                .isEqualTo("COMMITTED");
        assertThat(claim("n2", "SPARE", "bound", 1, "s3")
                        .at("/results/0/reason")
                        .asText())
                .isEqualTo("DOES_NOT_FIT");
    }
}
