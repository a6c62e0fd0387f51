package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TransactionContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void commit_claimThatFits_isCommitted() {
        CELL.putMachine("m-fits", 4000, 8192);
        CELL.submit("fits", 1);

        Reply committed = CELL.place("fits-1", "fits/main/0", "m-fits");
        assertThat(committed.status()).isEqualTo(200);
        Golden.check("transactions/committed", committed.json());
    }

    @Test
    void commit_someClaimsDoNotFit_isPartialWithTheAmounts() {
        CELL.putMachine("m-small", 600, 8192);
        CELL.submit("partial", 2);

        Golden.check(
                "transactions/partial",
                CELL.place("partial-1", "partial/main/0", "m-small", "partial/main/1", "m-small")
                        .json());
    }

    @Test
    void commit_allOrNothing_fellsWhatWouldHavePassed() {
        CELL.putMachine("m-all", 600, 8192);
        CELL.submit("all", 2);
        Reply rejected = CELL.post("/v1/transactions", """
                {"id": "all-1", "scheduler": "batch", "atomicity": "all-or-nothing",
                 "claims": [{"task": "all/main/0", "machine": "m-all"}, {"task": "all/main/1", "machine": "m-all"}]}""");

        Golden.check("transactions/rejected", rejected.json());
        assertThat(CELL.get("/v1/machines/m-all").json().at("/free/cpuMilli").asLong())
                .isEqualTo(600);
    }

    @Test
    void commit_afterAnotherGotThere_isAConflictWithItsWinner() {
        CELL.putMachine("m-race", 4000, 8192);
        CELL.submit("race", 2);
        long basis = CELL.get("/v1/cell").version();
        CELL.place("race-1", "race/main/0", "m-race");
        Reply lost = CELL.post("/v1/transactions", """
                {"id": "race-2", "scheduler": "batch", "basis": %d, "conflictRule": "MACHINE",
                 "claims": [{"task": "race/main/1", "machine": "m-race"}]}""".formatted(basis));

        Golden.check("transactions/conflict", lost.json());
    }

    @Test
    void commit_namesThatMeanNothing_areDecidedEachInOrder() {
        CELL.putMachine("m-names", 4000, 8192);
        CELL.submit("names", 1);
        JsonNode results = CELL.place(
                        "names-1",
                        "names/main/0",
                        "m-nosuch",
                        "nosuch/main/0",
                        "m-names",
                        "names/other/0",
                        "m-names",
                        "names/main/99",
                        "m-names")
                .json()
                .get("results");

        assertThat(results.findValuesAsText("reason"))
                .containsExactly("UNKNOWN_MACHINE", "UNKNOWN_TASK", "UNKNOWN_TASK", "UNKNOWN_TASK");
        assertThat(results.findValuesAsText("task"))
                .containsExactly("names/main/0", "nosuch/main/0", "names/other/0", "names/main/99");
    }

    @Test
    void commit_alternates_areTriedInOrder() {
        CELL.putMachine("m-alt-1", 100, 8192);
        CELL.putMachine("m-alt-2", 4000, 8192);
        CELL.submit("alt", 1);
        Reply committed = CELL.post(
                "/v1/transactions",
                "{\"id\":\"alt-1\",\"scheduler\":\"batch\",\"claims\":[{\"task\":\"alt/main/0\",\"machine\":\"m-alt-1\",\"alternates\":[\"m-alt-2\"]}]}");

        assertThat(committed.json().at("/results/0/machine").asText()).isEqualTo("m-alt-2");
    }

    @Test
    void commit_sameIdAgain_givesTheSameOutcome() {
        CELL.putMachine("m-retry", 4000, 8192);
        CELL.submit("retry", 1);
        Reply first = CELL.place("retry-1", "retry/main/0", "m-retry");
        Reply again = CELL.place("retry-1", "retry/main/0", "m-retry");

        assertThat(again.json()).isEqualTo(first.json());
        assertThat(CELL.post(
                                "/v1/transactions",
                                "{\"id\":\"retry-1\",\"scheduler\":\"batch\",\"minClaims\":1,\"claims\":[{\"task\":\"retry/main/0\",\"machine\":\"m-retry\"}]}")
                        .json()
                        .get("reason")
                        .asText())
                .isEqualTo("ID_REUSED");
    }

    @Test
    void commit_sameIdAgain_whatWasLeftToItsDefaultMayBeWrittenOut() {
        CELL.putMachine("m-words", 4000, 8192);
        CELL.submit("words", 1);
        Reply first = CELL.place("words-1", "words/main/0", "m-words");
        String task =
                "{\"id\":\"words-1\",\"scheduler\":\"batch\",\"claims\":[{\"task\":\"words/main/0\",\"machine\":\"m-words\"%s}]%s}";
        String incarnation = CELL.get("/v1/cell").json().get("incarnation").asText();

        Reply wordy = CELL.post(
                "/v1/transactions",
                task.formatted(
                        ",\"resources\":{\"cpuMilli\":500,\"memoryMib\":64}",
                        ",\"incarnation\":\"" + incarnation + "\""));
        Reply other =
                CELL.post("/v1/transactions", task.formatted(",\"resources\":{\"cpuMilli\":501,\"memoryMib\":64}", ""));

        assertThat(wordy.json()).isEqualTo(first.json());
        assertThat(other.json().get("reason").asText()).isEqualTo("ID_REUSED");
    }

    /** The same words have the same digest, even if a value is no longer a default. */
    @Test
    void commit_sameIdAgain_afterAnUpdate_givesTheSameOutcome() {
        CELL.putMachine("m-said", 4000, 8192);
        CELL.put("/v1/jobs/said", said(500));
        String asked =
                "{\"id\":\"said-1\",\"scheduler\":\"batch\",\"claims\":[{\"task\":\"said/main/0\",\"machine\":\"m-said\",\"resources\":{\"cpuMilli\":500,\"memoryMib\":64}}]}";
        Reply first = CELL.post("/v1/transactions", asked);
        assertThat(CELL.put("/v1/jobs/said", said(600)).status()).isEqualTo(200);

        assertThat(first.json().get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(CELL.post("/v1/transactions", asked).json()).isEqualTo(first.json());
    }

    private static String said(int cpuMilli) {
        return "{\"name\":\"said\",\"type\":\"batch\",\"groups\":[{\"count\":2,\"resources\":{\"cpuMilli\":" + cpuMilli
                + ",\"memoryMib\":64},\"run\":{\"command\":[\"true\"]}}]}";
    }

    @Test
    void commit_sameIdAgain_givesTheSameOutcome_evenIfItsNamesMeanOthersByThen() {
        CELL.putMachine("m-gone", 4000, 8192);
        CELL.submit("gone", 1);
        Reply first = CELL.place("gone-1", "gone/main/0", "m-gone");
        assertThat(CELL.delete("/v1/machines/m-gone?force=true").status()).isEqualTo(200);

        assertThat(CELL.place("gone-1", "gone/main/0", "m-gone").json()).isEqualTo(first.json());

        CELL.putMachine("m-in-its-slot", 4000, 8192);
        assertThat(CELL.place("gone-1", "gone/main/0", "m-gone").json()).isEqualTo(first.json());
    }

    @Test
    void commit_sameIdAgain_withADefaultWrittenOut_isTheSame() {
        CELL.putMachine("m-spelt", 4000, 8192);
        CELL.submit("spelt", 1);
        Reply first = CELL.place("spelt-1", "spelt/main/0", "m-spelt");

        assertThat(CELL.post("/v1/transactions", """
                        {"id": "spelt-1", "scheduler": "batch", "atomicity": "incremental", "conflictRule": "RESOURCE", "minClaims": 0,
                         "claims": [{"machine": "m-spelt", "task": "spelt/main/0"}], "holds": []}""").json()).isEqualTo(first.json());
    }

    @Test
    void commit_sameIdAgain_withZerosAndTheOnlyGroupWrittenOut_isTheSame() {
        CELL.putMachine("m-zeros", 4000, 8192);
        CELL.submit("zeros", 2);
        String asked = """
                {"id": "zeros-1", "scheduler": "batch", "claims": [{"task": "zeros/main/0", "machine": "m-zeros"%s}],
                 "holds": [{"job": "zeros", "machine": "m-zeros", "resources": {"cpuMilli": 500%s}, "expiresAfter": "60s"}],
                 "steps": [{"task": "zeros/main/1", "kind": "STOP"%s}], "scales": [{"job": "zeros"%s, "count": 5}]}""";
        Reply first = CELL.post("/v1/transactions", asked.formatted("", "", "", ""));
        Reply wordy = CELL.post(
                "/v1/transactions",
                asked.formatted(
                        ", \"resources\": {\"cpuMilli\": 0}",
                        ", \"diskMib\": 0",
                        ", \"attempt\": 0",
                        ", \"group\": \"main\""));

        assertThat(first.json().get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(wordy.json()).isEqualTo(first.json());
    }

    /** A default of this cell may be added to a retry, but a value that was written may not be left out. */
    @Test
    void commit_sameIdAgain_inWordsThatAskTheSameByChance_isAnother() {
        CELL.putMachine("m-other", 4000, 8192);
        CELL.submit("other", 2);
        String claim = "{\"task\":\"other/main/%s\",\"machine\":\"m-other\"%s}";
        String said = claim.formatted("0", ",\"resources\":{\"cpuMilli\":500,\"memoryMib\":64}");
        assertThat(decision("other-1", said)).isEqualTo("COMMITTED");

        assertThat(decision("other-1", claim.formatted("0", ""))).isEqualTo("ID_REUSED");
        assertThat(decision("other-1", claim.formatted("00", ",\"resources\":{\"cpuMilli\":500,\"memoryMib\":64}")))
                .isEqualTo("ID_REUSED");
        assertThat(decision("other-1", said + "," + said)).isEqualTo("ID_REUSED");
        assertThat(decision("other-1", said)).isEqualTo("COMMITTED");
    }

    /** The reason if the whole was refused, otherwise the results. */
    private static String decision(String id, String claims) {
        JsonNode answer = CELL.post(
                        "/v1/transactions",
                        "{\"id\":\"%s\",\"scheduler\":\"batch\",\"claims\":[%s]}".formatted(id, claims))
                .json();
        return answer.path("reason").asText(answer.get("outcome").asText());
    }

    @Test
    void commit_amountsOfZero_areAsIfLeftOut_inADryRunToo() {
        CELL.putMachine("m-nought", 4000, 8192);
        CELL.submit("nought", 1);
        String asked = """
                {"id": "nought-1", "scheduler": "batch", "dryRun": %s,
                 "claims": [{"task": "nought/main/0", "machine": "m-nought", "resources": {"cpuMilli": 0}}]}""";

        for (boolean dryRun : new boolean[] {true, false}) {
            Reply answer = CELL.post("/v1/transactions", asked.formatted(dryRun));
            assertThat(answer.json().get("outcome").asText()).isEqualTo("COMMITTED");
        }
    }

    @Test
    void commit_dryRun_decidesWithoutALog() {
        CELL.putMachine("m-dry", 4000, 8192);
        CELL.submit("dry", 1);
        String dry =
                "{\"id\":\"dry-1\",\"scheduler\":\"batch\",\"dryRun\":true,\"claims\":[{\"task\":\"dry/main/0\",\"machine\":\"m-dry\"}]}";
        long before = CELL.get("/v1/cell").version();

        assertThat(CELL.post("/v1/transactions", dry).json().get("outcome").asText())
                .isEqualTo("COMMITTED");
        assertThat(CELL.get("/v1/cell").version()).isEqualTo(before);
        assertThat(CELL.get("/v1/tasks/dry/main/0").json().get("state").asText())
                .isEqualTo("PENDING");
    }

    @Test
    void commit_refusedWhole_isStill200() {
        CELL.submit("whole", 1);
        CELL.putMachine("m-whole", 4000, 8192);
        String claims = "\"claims\":[{\"task\":\"whole/main/0\",\"machine\":\"m-whole\"}]";
        Reply ahead = CELL.post(
                "/v1/transactions", "{\"id\":\"whole-1\",\"scheduler\":\"batch\",\"basis\":9999999," + claims + "}");
        Reply fenced = CELL.post(
                "/v1/transactions", "{\"id\":\"whole-2\",\"scheduler\":\"batch\",\"session\":1," + claims + "}");
        Reply other = CELL.post(
                "/v1/transactions",
                "{\"id\":\"whole-3\",\"scheduler\":\"batch\",\"incarnation\":\"abc\"," + claims + "}");

        assertThat(ahead.status()).isEqualTo(200);
        assertThat(ahead.json().get("outcome").asText()).isEqualTo("REJECTED");
        assertThat(ahead.json().get("reason").asText()).isEqualTo("BASIS_AHEAD");
        assertThat(fenced.json().get("reason").asText()).isEqualTo("FENCED");
        assertThat(other.json().get("reason").asText()).isEqualTo("OTHER_INCARNATION");
    }

    @Test
    void commit_otherAmountsThanTheTaskAsks_areNotAllowed() {
        CELL.putMachine("m-amounts", 4000, 8192);
        CELL.submit("amounts", 1);
        Reply refused = CELL.post(
                "/v1/transactions",
                "{\"id\":\"amounts-1\",\"scheduler\":\"batch\",\"claims\":[{\"task\":\"amounts/main/0\",\"machine\":\"m-amounts\",\"resources\":{\"cpuMilli\":1,\"memoryMib\":1}}]}");

        assertThat(refused.json().at("/results/0/reason").asText()).isEqualTo("NOT_ALLOWED");
    }

    @Test
    void commit_evictionForAClaim_handsOverWhatTheVictimHeld() {
        CELL.putMachine("m-evict", 500, 8192);
        CELL.submit("evicted", 1);
        CELL.post("/v1/jobs", RunningCell.job("evicting", 1).replace("\"groups\"", "\"priority\": 90, \"groups\""));
        CELL.place("evict-1", "evicted/main/0", "m-evict");
        Reply committed = CELL.post("/v1/transactions", """
                {"id": "evict-2", "scheduler": "batch", "claims": [{"task": "evicting/main/0", "machine": "m-evict"}],
                 "evictions": [{"task": "evicted/main/0", "attempt": 1, "for": "evicting/main/0"}]}""");

        Golden.check("transactions/eviction", committed.json());
    }

    @Test
    void commit_holdAndAnEvictionThatStandsAlone_areAnsweredAfterTheClaims() {
        CELL.putMachine("m-hold", 4000, 8192);
        CELL.submit("held", 2);
        CELL.place("hold-1", "held/main/0", "m-hold");
        Reply committed = CELL.post("/v1/transactions", """
                {"id": "hold-2", "scheduler": "batch", "claims": [{"task": "held/main/1", "machine": "m-hold"}],
                 "evictions": [{"task": "held/main/0", "attempt": 1}],
                 "holds": [{"job": "held", "machine": "m-hold", "resources": {"cpuMilli": 1000}, "expiresAfter": "1m"}]}""");

        Golden.check("transactions/hold", committed.json());
    }

    @Test
    void commit_stepsScalesAndProgress_areDecidedWithTheClaims() {
        CELL.putMachine("m-step", 4000, 8192);
        CELL.submit("stepped", 3);
        CELL.place("step-1", "stepped/main/0", "m-step", "stepped/main/1", "m-step");
        CELL.post("/v1/tasks/stepped/main/0:status", "{\"attempt\": 1, \"state\": \"FAILED\"}");
        Reply committed = CELL.post("/v1/transactions", """
                {"id": "step-2", "scheduler": "batch",
                 "claims": [{"task": "stepped/main/0", "machine": "m-step"}],
                 "steps": [{"task": "stepped/main/0", "kind": "AGAIN", "attempt": 1},
                           {"task": "stepped/main/1", "kind": "replace", "attempt": 1},
                           {"task": "stepped/main/2", "kind": "STOP", "attempt": 7}],
                 "scales": [{"job": "stepped", "count": 5}],
                 "progress": [{"job": "stepped", "data": "Y2FuYXJ5"}]}""");

        Golden.check("transactions/steps", committed.json());
        assertThat(CELL.get("/v1/tasks/stepped/main/0").json().get("attempt").asInt())
                .isEqualTo(2);
        assertThat(CELL.get("/v1/tasks/stepped/main/1").json().get("reason").asText())
                .isEqualTo("UPDATED");
        JsonNode job = CELL.get("/v1/jobs/stepped").json();
        assertThat(job.at("/groups/0/count").asInt()).isEqualTo(5);
        assertThat(job.get("progress").asText()).isEqualTo("Y2FuYXJ5");
        assertThat(CELL.get("/v1/jobs?limit=1000").json().get("jobs").findValue("progress"))
                .isNull();
    }

    @Test
    void commit_stepsThatCannotBe_sayWhy() {
        CELL.submit("unstepped", 1);
        assertThat(CELL.post("/v1/transactions", """
                        {"id": "unstep-1", "scheduler": "other",
                         "steps": [{"task": "unstepped/main/0", "kind": "STOP"}, {"task": "unstepped/main/9", "kind": "STOP"}],
                         "scales": [{"job": "unstepped", "count": 2}, {"job": "nosuch", "count": 2}]}""").json().get("results").findValuesAsText("reason"))
                .containsExactly("NOT_ALLOWED", "UNKNOWN_TASK", "NOT_ALLOWED", "UNKNOWN_JOB");
        Reply bad = CELL.post("/v1/transactions", """
                {"id": "unstep-2", "scheduler": "batch", "steps": [{"task": "unstepped/main/0", "kind": "SLEEP"}],
                 "scales": [{"job": "unstepped", "grup": "main", "count": 2}], "progress": [{"job": "unstepped", "data": "%%"}]}""");
        assertThat(bad.fault("steps[0].kind")).contains("AGAIN");
        assertThat(bad.fault("scales[0].grup")).contains("did you mean group?");
        assertThat(bad.fault("progress[0].data")).isNotEmpty();
        assertThat(CELL.post("/v1/transactions", """
                        {"id": "unstep-3", "scheduler": "batch", "scales": [{"job": "unstepped", "group": "other", "count": 2}]}""").fault("scales[0].group")).contains("one of main");
    }

    @Test
    void commit_sets_areClaimedByMember() {
        CELL.put("/v1/machines/m-sets", """
                {"capacity": {"cpuMilli": 4000, "memoryMib": 8192, "gpus": 2}, "members": {"sockets": "8000-8003"}}""");
        CELL.post(
                "/v1/jobs",
                RunningCell.job("sets", 2)
                        .replace(
                                "\"memoryMib\": 64}",
                                "\"memoryMib\": 64, \"gpus\": 1, \"sockets\": 1}, \"members\": {\"sockets\": \"8002\"}"));
        JsonNode results = CELL.place("sets-1", "sets/main/0", "m-sets", "sets/main/1", "m-sets")
                .json()
                .get("results");

        assertThat(results.at("/0/accepted").asBoolean()).isTrue();
        assertThat(results.at("/1/dimension").asText()).isEqualTo("sockets");
        assertThat(results.at("/1/asked").asInt()).isEqualTo(2);
        assertThat(results.at("/1/free").asInt()).isEqualTo(1);
        assertThat(CELL.get("/v1/tasks/sets/main/0")
                        .json()
                        .at("/members/sockets")
                        .asText())
                .isEqualTo("8000,8002");
        assertThat(CELL.get("/v1/machines/m-sets")
                        .json()
                        .at("/freeMembers/sockets")
                        .asText())
                .isEqualTo("8001,8003");
        assertThat(CELL.post("/v1/transactions", """
                        {"id": "sets-2", "scheduler": "batch", "holds": [{"job": "sets", "machine": "m-sets", "members": {"sockets": "8001"}, "expiresAfter": "1m"}]}""")
                        .json()
                        .at("/results/0/accepted")
                        .asBoolean())
                .isTrue();
        assertThat(CELL.get("/v1/machines/m-sets")
                        .json()
                        .at("/freeMembers/sockets")
                        .asText())
                .isEqualTo("8003");
    }

    @Test
    void commit_badInput_saysEveryFaultWithItsPlace() {
        Reply bad = CELL.post(
                "/v1/transactions",
                "{\"scheduler\":\"batch\",\"atomicity\":\"SOME\",\"claims\":[{\"task\":\"a/b/0\",\"machin\":\"m\"}],\"holds\":[{\"job\":\"a\"}]}");

        assertThat(bad.fault("id")).isNotEmpty();
        assertThat(bad.fault("atomicity")).contains("ALL_OR_NOTHING");
        assertThat(bad.fault("claims[0].machin")).contains("did you mean machine?");
        assertThat(bad.fault("holds[0].machine")).isNotEmpty();
        assertThat(bad.fault("holds[0].expiresAfter")).isNotEmpty();
        assertThat(CELL.post("/v1/transactions", """
                        {"id": "bad-2", "scheduler": "batch", "claims": [{"task": "a/b/0", "machine": "m"}],
                         "evictions": [{"task": "a/b/1", "attempt": 1, "for": "a/b/2"}]}""").fault("evictions[0].for"))
                .contains("a claim of this transaction");
        assertThat(CELL.place("bad-1", "not a task", "m").fault("claims[0].task"))
                .contains("JOB/GROUP/INDEX");
        assertThat(CELL.place("x".repeat(65), "a/b/0", "m").fault("id")).contains("64");
        assertThat(CELL.post(
                                "/v1/transactions",
                                "{\"id\":\"bad-5\",\"scheduler\":\"NONE\",\"claims\":[{\"task\":\"a/b/0\",\"machine\":\"m\"}]}")
                        .fault("scheduler"))
                .isNotEmpty();
        assertThat(CELL.post(
                                "/v1/transactions",
                                "{\"id\":\"bad-3\",\"scheduler\":\"batch\",\"incarnation\":\"xyz\",\"claims\":[{\"task\":\"a/b/0\",\"machine\":\"m\"}]}")
                        .fault("incarnation"))
                .isEqualTo("must be up to 16 hexadecimal digits, is \"xyz\"");
        assertThat(CELL.post("/v1/transactions", """
                        {"id": "bad-4", "scheduler": "batch", "evictions": [{"task": "a/b/1", "attempt": 0}]}""").fault("evictions[0].attempt"))
                .contains("counted from 1");
        CELL.post("/v1/transactions", "{\"id\":\"none\",\"scheduler\":\"batch\"}")
                .problem(400, "bad-request");
    }
}
