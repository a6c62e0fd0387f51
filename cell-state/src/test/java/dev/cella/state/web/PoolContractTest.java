package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools and rights over HTTP (SURFACE 8.2). */
class PoolContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static void machine(String name, String attributes) {
        CELL.put(
                "/v1/machines/" + name,
                "{\"capacity\": {\"cpuMilli\": 8000, \"memoryMib\": 8000}, \"attributes\": {%s}}"
                        .formatted(attributes));
    }

    private static Reply job(String name, String more, int cpuMilli) {
        return CELL.post("/v1/jobs", """
                {"name": "%s", "type": "batch", %s "groups": [{"count": 4, "resources":
                 {"cpuMilli": %d, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                """.formatted(name, more, cpuMilli));
    }

    private static Reply claim(String id, String task, String machine) {
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "batch", "claims": [{"task": "%s", "machine": "%s"}]}
                """.formatted(id, task, machine));
    }

    @Test
    void pool_isDefinedShownUsedAndRemoved() {
        machine("pools", "");
        JsonNode put = CELL.put("/v1/pools/research/vision", """
                {"weight": 3, "minimum": {"cpuMilli": 1000}, "limit": {"cpuMilli": 2000}, "order": "fifo",
                 "minimumTimeout": "30s"}
                """).json();
        assertThat(put.get("name").asText()).isEqualTo("research/vision");
        assertThat(put.get("weight").asInt()).isEqualTo(3);
        assertThat(put.get("order").asText()).isEqualTo("FIFO");
        assertThat(put.get("limit").get("cpuMilli").asLong()).isEqualTo(2000);
        assertThat(put.get("minimumTimeout").asText()).isEqualTo("30s");

        job("seen", "\"pool\": \"research/vision\",", 1000);
        claim("p1", "seen/main/0", "pools");
        JsonNode pool = CELL.get("/v1/pools/research/vision").json();
        assertThat(pool.get("used").get("cpuMilli").asLong()).isEqualTo(1000);
        assertThat(pool.get("pending").get("cpuMilli").asLong()).isEqualTo(3000);
        assertThat(pool.get("share").get("cpuMilli").asLong()).isEqualTo(2000);
        assertThat(pool.get("dominantShare").asDouble()).isGreaterThan(0);
        JsonNode parent = CELL.get("/v1/pools/research").json();
        assertThat(parent.get("used").get("cpuMilli").asLong()).isEqualTo(1000);
        assertThat(parent.get("weight").asInt()).isEqualTo(1);

        claim("p2", "seen/main/1", "pools");
        JsonNode over =
                claim("p3", "seen/main/2", "pools").json().get("results").get(0);
        assertThat(over.get("reason").asText()).isEqualTo("QUOTA");

        assertThat(CELL.delete("/v1/pools/research/vision")
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("POOL_IN_USE", "job seen is in it");
        CELL.delete("/v1/jobs/seen");
        assertThat(CELL.delete("/v1/pools/research/vision").status()).isEqualTo(200);
        CELL.get("/v1/pools/research/vision").problem(404, "not-found");
        CELL.delete("/v1/pools/research/vision").problem(404, "not-found");
    }

    @Test
    void poolsAboveADefinedPool_areShownAsLongAsItIsDefined() {
        CELL.put("/v1/pools/above/middle/below", "{}");
        assertThat(CELL.get("/v1/pools").json().get("pools").findValuesAsText("name"))
                .contains("above", "above/middle", "above/middle/below");
        JsonNode middle = CELL.get("/v1/pools/above/middle").json();
        assertThat(middle.path("defined").asBoolean()).isFalse();

        CELL.delete("/v1/pools/above/middle/below");
        CELL.get("/v1/pools/above/middle").problem(404, "not-found");
        CELL.get("/v1/pools/above").problem(404, "not-found");
    }

    @Test
    void poolBelowItsShare_showsWhatItLacks_andItsJobWhatItHasAndWhere() {
        machine("near", "\"rack\": \"r1\"");
        machine("beside", "\"rack\": \"r1\"");
        machine("far", "\"rack\": \"r2\"");
        CELL.post("/v1/jobs", """
                {"name": "reads", "type": "batch", "pool": "lacking", "groups": [{"count": 4, "resources":
                 {"cpuMilli": 1000, "memoryMib": 100}, "inputs": [{"machines": ["near"]}],
                 "run": {"command": ["true"]}}]}
                """);
        claim("d1", "reads/main/0", "near");
        claim("d2", "reads/main/1", "beside");
        claim("d3", "reads/main/2", "far");

        JsonNode pool = CELL.get("/v1/pools/lacking").json();
        assertThat(pool.get("deficit").get("cpuMilli").asLong()).isEqualTo(1000);
        JsonNode job = CELL.get("/v1/jobs/reads").json();
        assertThat(job.get("locality").get("node").asInt()).isEqualTo(1);
        assertThat(job.get("locality").get("rack").asInt()).isEqualTo(1);
        assertThat(job.get("locality").get("any").asInt()).isEqualTo(1);
        assertThat(job.get("dominantShare").asDouble()).isBetween(0.01, 0.125);
        CELL.delete("/v1/jobs/reads");
    }

    @Test
    void badPools_areAnsweredInWords() {
        assertThat(CELL.put("/v1/pools/a", "{\"weight\": 0}")
                        .problem(400, "bad-request")
                        .toString())
                .contains("weight", "from 1");
        assertThat(CELL.put("/v1/pools/a", "{\"minimum\": {\"cpuMilli\": 5}, \"limit\": {\"cpuMilli\": 4}}")
                        .problem(400, "bad-request")
                        .toString())
                .contains("minimum.cpuMilli: must not be above its limit of 4, is 5");
        assertThat(CELL.put("/v1/pools/a", "{\"limit\": {\"cpuMili\": 4}}")
                        .problem(400, "bad-request")
                        .toString())
                .contains("cpuMilli");
        for (String path : List.of("a//b", "/a", "a/", "/")) {
            assertThat(job("misplaced", "\"pool\": \"" + path + "\",", 100)
                            .problem(400, "bad-request")
                            .toString())
                    .as(path)
                    .contains("pool");
        }
        for (String path : List.of("a//b", "/a", "a/", "a///", "a//b/", "/", "A")) {
            for (String method : List.of("GET", "PUT", "DELETE")) {
                String body = method.equals("PUT") ? "{}" : "";
                Reply refused = CELL.send(method, "/v1/pools/" + path, body, "Content-Type", "application/json");
                assertThat(refused.problem(404, "not-found").toString())
                        .as(method + " " + path)
                        .contains(
                                "nothing at /v1/pools/" + path,
                                path.contains("/") ? "is no path of a pool" : "is no name",
                                "such as research/vision");
            }
        }
        CELL.get("/v1/pools/a").problem(404, "not-found");
        assertThat(CELL.get("//v1/pools?x=a//b").status())
                .isEqualTo(CELL.get("/v1/pools?x=a//b").status());
        CELL.get("/v1/pools/nobody").problem(404, "not-found");
    }

    @Test
    void limitBelowUse_isTakenAndSaid() {
        machine("below", "");
        job("fat", "\"pool\": \"shrunk\",", 1000);
        claim("b1", "fat/main/0", "below");
        JsonNode pool =
                CELL.put("/v1/pools/shrunk", "{\"limit\": {\"cpuMilli\": 500}}").json();
        assertThat(pool.get("warnings").get(0).asText()).contains("below what is used");
    }

    @Test
    void jobThatCanNeverBePlaced_isToldSoAtItsSubmissionAndByExplain() {
        CELL.put("/v1/pools/tiny", "{\"limit\": {\"cpuMilli\": 500}}");
        JsonNode submitted = job("never", "\"pool\": \"tiny\",", 1000).json();
        assertThat(submitted.get("warnings").get(0).asText()).contains("limit of pool tiny is 500");
        JsonNode explained = CELL.get("/v1/jobs/never:explain").json();
        assertThat(explained.get("neverPlaceable").asBoolean()).isTrue();
        assertThat(explained.get("summary").asText()).contains("can never be placed", "pool tiny");
    }

    @Test
    void inputsThatAreNowhere_areReportedAtSubmission() {
        machine("reads-here", "\"rack\": \"reads-r1\"");
        String group = """
                {"name": "%s", "type": "batch", "scheduler": "reads", "groups": [{"name": "map", "count": 3,
                 "resources": {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["true"]}, "inputs": [%s]}]}
                """;
        JsonNode wrong = CELL.post(
                        "/v1/jobs",
                        group.formatted(
                                "reads-nowhere",
                                "{\"machines\": [\"reads-here\"]}, {\"machines\": [\"reads-hree\"]}, {\"racks\":"
                                        + " [\"reads-r9\"]}"))
                .json();
        assertThat(wrong.get("warnings").size()).isEqualTo(1);
        assertThat(wrong.get("warnings").get(0).asText())
                .startsWith("2 of 3 inputs of group map name no machine and no rack of this cell")
                .contains("inputs[1] with machine reads-hree", "may go anywhere");
        JsonNode right = CELL.post(
                        "/v1/jobs",
                        group.formatted("reads-somewhere", "{\"machines\": [\"gone\"], \"racks\": [\"reads-r1\"]}"))
                .json();
        assertThat(right.has("warnings")).isFalse();
    }

    /** A minimum that nobody can keep is taken, and said; a machine that comes later may keep it. */
    @Test
    void minimumAboveTheCell_isTakenAndSaid() {
        JsonNode pool = CELL.put("/v1/pools/greedy", "{\"minimum\": {\"cpuMilli\": 999999999}}")
                .json();
        assertThat(pool.get("warnings").get(0).asText()).contains("above what the cell has", "cannot be kept");
    }

    /** A limit of zero: what runs stays, nothing new is placed, and new jobs are told so. */
    @Test
    void poolThatShrinksToNothing_keepsWhatRunsAndSaysThatNothingMoreCan() {
        machine("nothing", "");
        job("runs-on", "\"pool\": \"nothing\",", 1000);
        claim("z1", "runs-on/main/0", "nothing");
        JsonNode pool =
                CELL.put("/v1/pools/nothing", "{\"limit\": {\"cpuMilli\": 0}}").json();
        assertThat(pool.get("warnings").get(0).asText())
                .contains("the limit of 0 cpuMilli is below what is used, 1000", "until that has ended");
        assertThat(CELL.get("/v1/tasks/runs-on/main/0").json().get("state").asText())
                .isEqualTo("PLACED");
        assertThat(job("told", "\"pool\": \"nothing\",", 1)
                        .json()
                        .get("warnings")
                        .get(0)
                        .asText())
                .contains("can never be placed", "limit of pool nothing is 0");
        CELL.delete("/v1/pools/nothing").problem(409, "conflict");
    }

    @Test
    void rights_holdASchedulerToItsMachines() {
        machine("inside", "\"partition\": \"one\"");
        machine("outside", "\"partition\": \"two\"");
        JsonNode unset = CELL.get("/v1/schedulers/parted/rights").json();
        assertThat(unset.get("evicts").asText()).isEqualTo("LOWER");
        assertThat(unset.get("priorityMax").asInt()).isEqualTo(100);

        String rights =
                "{\"machines\": [{\"attribute\": \"partition\", \"operator\": \"eq\", \"value\": \"%s\"}], \"evicts\": \"own\"}";
        JsonNode put = CELL.put("/v1/schedulers/parted/rights", rights.formatted("one"))
                .json();
        assertThat(put.get("machines").get(0).get("value").asText()).isEqualTo("one");
        assertThat(put.get("evicts").asText()).isEqualTo("OWN");
        job("part", "\"scheduler\": \"parted\",", 100);
        JsonNode results = CELL.post("/v1/transactions", """
                {"id": "r1", "scheduler": "parted", "claims": [
                 {"task": "part/main/0", "machine": "inside"}, {"task": "part/main/1", "machine": "outside"}]}
                """).json().get("results");
        assertThat(results.get(0).get("accepted").asBoolean()).isTrue();
        assertThat(results.get(1).get("reason").asText()).isEqualTo("NOT_ALLOWED");

        assertThat(CELL.put("/v1/schedulers/parted/rights", rights.formatted("nowhere"))
                        .json()
                        .get("warnings")
                        .get(0)
                        .asText())
                .contains("no machine of the cell");
        assertThat(CELL.put(
                                "/v1/schedulers/parted/rights",
                                rights.formatted("x").replace("\"eq\"", "\"matches\""))
                        .problem(400, "bad-request")
                        .toString())
                .contains("must not be matches");
        assertThat(CELL.put("/v1/schedulers/parted/rights", "{\"priorityMax\": 101}")
                        .body())
                .contains("priorityMax: must be 0-100, is 101");
        assertThat(CELL.put("/v1/schedulers/parted/rights", "{\"pools\": [\"a/b\", \"a//b\"]}")
                        .problem(400, "bad-request")
                        .toString())
                .contains("pools[1]: is no path of a pool");
    }

    /** Every machine has the attribute {@code machine}, its name, and no other one of that name. */
    @Test
    void rights_knowAMachineByItsName() {
        machine("named", "");
        machine("unnamed", "");
        JsonNode put = CELL.put(
                        "/v1/schedulers/naming/rights",
                        "{\"machines\": [{\"attribute\": \"machine\", \"operator\": \"eq\", \"value\": \"named\"}]}")
                .json();
        assertThat(put.get("warnings")).isNull();
        job("names", "\"scheduler\": \"naming\",", 100);
        JsonNode results = CELL.post("/v1/transactions", """
                {"id": "n1", "scheduler": "naming", "claims": [
                 {"task": "names/main/0", "machine": "named"}, {"task": "names/main/1", "machine": "unnamed"}]}
                """).json().get("results");
        assertThat(results.get(0).get("accepted").asBoolean()).isTrue();
        assertThat(results.get(1).get("reason").asText()).isEqualTo("NOT_ALLOWED");

        assertThat(CELL.put(
                                "/v1/machines/unnamed",
                                "{\"capacity\": {\"cpuMilli\": 100, \"memoryMib\": 100}, \"attributes\": {\"machine\": \"named\"}}")
                        .fault("attributes.machine"))
                .contains("choose another attribute");
    }

    @Test
    void steps_areWrittenAsStep() {
        machine("steps", "");
        job("stepped", "", 100);
        claim("s1", "stepped/main/0", "steps");
        JsonNode decided = CELL.post("/v1/transactions", """
                {"id": "s2", "scheduler": "batch",
                 "steps": [{"task": "stepped/main/0", "attempt": 1, "step": "STOP", "reason": "no longer needed"}],
                 "scales": [{"job": "stepped", "group": "main", "count": 2}]}
                """).json();
        assertThat(decided.get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(decided.get("results").get(0).get("kind").asText()).isEqualTo("STEP");
        assertThat(CELL.get("/v1/tasks/stepped/main/0").json().get("state").asText())
                .isEqualTo("KILLED");
        CELL.post(
                        "/v1/transactions",
                        "{\"id\": \"s3\", \"scheduler\": \"batch\", \"steps\": [{\"task\": \"stepped/main/0\"}]}")
                .problem(400, "bad-request");
    }
}
