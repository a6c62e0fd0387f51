package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Schedulers {@code fast} and {@code slow}, who always plan on what was before the other's last transaction. */
class ConflictContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static long version() {
        return CELL.get("/v1/cell").version();
    }

    /** For a scheduler that is called so: each may place its own jobs alone. */
    private static void submit(String scheduler, String name, int count) {
        String job = RunningCell.job(name, count).replace("\"type\"", "\"scheduler\": \"" + scheduler + "\", \"type\"");
        assertThat(CELL.post("/v1/jobs", job).status()).isEqualTo(201);
    }

    private static void claim(String scheduler, String id, long basis, String rules, String task, String machine) {
        Reply decided = CELL.post(
                "/v1/transactions",
                "{\"id\":\"%s\",\"scheduler\":\"%s\",\"basis\":%d,%s\"claims\":[{\"task\":\"%s\",\"machine\":\"%s\"}]}"
                        .formatted(id, scheduler, basis, rules, task, machine));
        assertThat(decided.status()).as(decided.body()).isEqualTo(200);
    }

    @Test
    void conflicts_areCountedByLoserWinnerReasonAndMachine_andEachIsInTheLedger() {
        CELL.putMachine("m-one", 500, 8192);
        CELL.putMachine("m-two", 4000, 8192);
        submit("fast", "won", 2);
        submit("slow", "lost", 4);
        long basis = version();
        claim("fast", "fast-1", basis, "", "won/main/0", "m-one");
        claim("fast", "fast-2", basis, "", "won/main/1", "m-two");
        claim("slow", "slow-1", basis, "", "lost/main/1", "m-one");
        claim("slow", "slow-2", basis, "\"conflictRule\":\"MACHINE\",", "lost/main/0", "m-two");
        claim("slow", "slow-3", version(), "", "lost/main/2", "m-nosuch");
        claim("slow", "slow-4", version(), "", "lost/main/1", "m-two");

        Golden.check(
                "conflicts/statistics",
                CELL.get("/v1/conflicts?window=1m&scheduler=slow").json());
        Golden.check(
                "conflicts/ledger", CELL.get("/v1/conflicts/ledger?job=lost").json());
    }

    @Test
    void ledger_isNewestFirst_andFilteredByLoserMachineAndJob() {
        CELL.putMachine("m-tiny", 500, 8192);
        submit("first", "filter-1", 1);
        submit("second", "filter-2", 1);
        submit("third", "filter-3", 1);
        long basis = version();
        claim("first", "first-1", basis, "", "filter-1/main/0", "m-tiny");
        claim("second", "second-1", basis, "", "filter-2/main/0", "m-tiny");
        claim("third", "third-1", basis, "", "filter-3/main/0", "m-tiny");

        assertThat(losers("?machine=m-tiny")).containsExactly("third", "second");
        assertThat(losers("?machine=m-tiny&limit=1")).containsExactly("third");
        assertThat(losers("?job=filter-2")).containsExactly("second");
        assertThat(losers("?scheduler=second")).containsExactly("second");
        assertThat(losers("?scheduler=first")).isEmpty();
    }

    private static List<String> losers(String query) {
        List<String> losers = new ArrayList<>();
        for (JsonNode lost : CELL.get("/v1/conflicts/ledger" + query).json().get("conflicts")) {
            losers.add(lost.at("/loser/scheduler").asText());
        }
        return losers;
    }

    @Test
    void ledger_saysWhatBecameOfTheTask() {
        CELL.putMachine("m-room", 500, 8192);
        submit("l", "gone", 2);
        submit("w", "winner", 1);
        long basis = version();
        claim("w", "w-1", basis, "", "winner/main/0", "m-room");
        claim("l", "l-1", basis, "", "gone/main/0", "m-room");

        String ledger = "/v1/conflicts/ledger?scheduler=l";
        assertThat(CELL.get(ledger).json().at("/conflicts/0/outcome").asText()).isEqualTo("PENDING");
        CELL.delete("/v1/jobs/gone");
        assertThat(CELL.get(ledger).json().at("/conflicts/0/outcome").asText()).isEqualTo("GONE");
    }

    @Test
    void allOrNothing_countsTheConflictAndNotWhatWasAborted() {
        CELL.putMachine("m-half", 500, 8192);
        submit("late", "half", 3);
        submit("early", "first", 1);
        long basis = version();
        claim("early", "early-1", basis, "", "first/main/0", "m-half");
        CELL.putMachine("m-rest", 4000, 8192);
        CELL.post(
                "/v1/transactions",
                "{\"id\":\"late-1\",\"scheduler\":\"late\",\"basis\":%d,\"atomicity\":\"ALL_OR_NOTHING\",\"claims\":[{\"task\":\"half/main/1\",\"machine\":\"m-half\"},{\"task\":\"half/main/2\",\"machine\":\"m-rest\"}]}"
                        .formatted(basis));

        JsonNode late = CELL.get("/v1/conflicts?scheduler=late").json().at("/schedulers/0");
        assertThat(late.get("claimsConflicted").asInt()).isEqualTo(1);
        assertThat(late.get("claimsRefused").asInt()).isZero();
        assertThat(late.get("claimsAccepted").asInt()).isZero();
        assertThat(late.has("conflictFraction")).isFalse();
    }

    @Test
    void badInput_saysWhere() {
        assertThat(CELL.get("/v1/conflicts?window=2h").fault("window")).contains("at most 30m");
        assertThat(CELL.get("/v1/conflicts?window=soon").fault("window")).isNotEmpty();
        assertThat(CELL.get("/v1/conflicts?sheduler=a").fault("sheduler")).contains("scheduler");
        assertThat(CELL.get("/v1/conflicts/ledger?limit=0").fault("limit")).contains("1,000".replace(",", ""));
        CELL.get("/v1/conflicts?minVersion=99999999&wait=10ms").problem(503, "version-not-reached");
    }
}
