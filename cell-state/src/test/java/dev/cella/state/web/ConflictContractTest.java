package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Schedulers {@code fast} and {@code slow}, which always plan on the state before the other's last transaction. */
class ConflictContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static long version() {
        return CELL.get("/v1/cell").version();
    }

    /** The named scheduler: each may place only its own jobs. */
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
    void ledger_showsTheLaterStateOfTheTask() {
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

    @Test
    void groups_countByWhatIsAsked_withRatesAndTimes() {
        CELL.putMachine("m-group", 500, 8192);
        submit("ga", "group-1", 1);
        submit("gb", "group-2", 2);
        long basis = version();
        claim("ga", "ga-1", basis, "", "group-1/main/0", "m-group");
        claim("gb", "gb-1", basis, "", "group-2/main/0", "m-group");
        claim("gb", "gb-2", basis, "", "group-2/main/1", "m-group");

        JsonNode byWinner =
                CELL.get("/v1/conflicts?scheduler=gb&groupBy=winner").json();
        assertThat(byWinner.at("/groups/0/key").asText()).isEqualTo("ga");
        assertThat(byWinner.at("/groups/0/count").asInt()).isEqualTo(2);
        assertThat(byWinner.at("/groups/0/perSecond").asDouble()).isPositive();
        assertThat(byWinner.at("/groups/0/firstAt").asText())
                .isEqualTo(byWinner.get("firstAt").asText());
        for (String by : List.of("machine", "dimension", "job", "reason", "scheduler")) {
            JsonNode groups =
                    CELL.get("/v1/conflicts?task=group-2&groupBy=" + by).json().get("groups");
            assertThat(groups.size()).as(by).isEqualTo(1);
            assertThat(groups.get(0).get("count").asInt()).as(by).isEqualTo(2);
        }
    }

    @Test
    void aStretchOfVersions_hasWhatWasLostInIt() {
        CELL.putMachine("m-span", 500, 8192);
        submit("sa", "span-1", 1);
        submit("sb", "span-2", 2);
        long basis = version();
        claim("sa", "sa-1", basis, "", "span-1/main/0", "m-span");
        claim("sb", "sb-1", basis, "", "span-2/main/0", "m-span");
        long first = version();
        claim("sb", "sb-2", basis, "", "span-2/main/1", "m-span");

        String ofSb = "/v1/conflicts?scheduler=sb&";
        assertThat(CELL.get(ofSb + "to=" + first).json().get("conflicts").asInt())
                .isEqualTo(1);
        assertThat(CELL.get(ofSb + "from=" + (first + 1))
                        .json()
                        .get("conflicts")
                        .asInt())
                .isEqualTo(1);
        assertThat(CELL.get(ofSb + "from=2020-01-01T00:00:00Z")
                        .json()
                        .get("conflicts")
                        .asInt())
                .isEqualTo(2);
        assertThat(CELL.get(ofSb + "from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")
                        .json()
                        .get("conflicts")
                        .asInt())
                .isZero();
        assertThat(losers("?from=" + basis + "&to=" + first + "&machine=m-span"))
                .containsExactly("sb");
        JsonNode ofVersions =
                CELL.get("/v1/conflicts?from=" + first + "&to=" + first).json();
        assertThat(ofVersions.get("fromAt")).isEqualTo(ofVersions.get("lastAt"));
        assertThat(ofVersions.get("toAt")).isEqualTo(ofVersions.get("lastAt"));
    }

    @Test
    void ledger_isPaged_toTheOldest() {
        CELL.putMachine("m-paged", 500, 8192);
        submit("pa", "paged-1", 1);
        submit("pb", "paged-2", 5);
        long basis = version();
        claim("pa", "pa-1", basis, "", "paged-1/main/0", "m-paged");
        for (int task = 0; task < 5; task++) {
            claim("pb", "pb-" + task, basis, "", "paged-2/main/" + task, "m-paged");
        }
        List<String> tasks = new ArrayList<>();
        String page = "/v1/conflicts/ledger?machine=m-paged&limit=2";
        JsonNode answer = CELL.get(page).json();
        while (answer.get("conflicts").size() > 0) {
            answer.get("conflicts").forEach(lost -> tasks.add(lost.get("task").asText()));
            answer = answer.has("nextPageToken")
                    ? CELL.get(page + "&pageToken="
                                    + answer.get("nextPageToken").asText())
                            .json()
                    : CELL.get(page + "&pageToken=0").json();
        }
        assertThat(tasks)
                .containsExactly(
                        "paged-2/main/4", "paged-2/main/3", "paged-2/main/2", "paged-2/main/1", "paged-2/main/0");
    }

    @Test
    void photo_showsBothPlans_whatCameInBetween_andWhereTheLoserLanded() {
        CELL.putMachine("m-photo", 500, 8192);
        CELL.putMachine("m-spare", 500, 8192);
        submit("fa", "photo-1", 1);
        submit("fb", "photo-2", 1);
        long basis = version();
        claim("fa", "fa-1", basis, "", "photo-1/main/0", "m-photo");
        claim("fb", "fb-1", basis, "", "photo-2/main/0", "m-photo");
        long lostAt = version();
        claim("fb", "fb-2", lostAt, "", "photo-2/main/0", "m-spare");

        JsonNode photo = CELL.get("/v1/conflicts/photo?version=" + lostAt).json();
        assertThat(photo.at("/conflict/task").asText()).isEqualTo("photo-2/main/0");
        assertThat(photo.at("/loser/basis").asLong()).isEqualTo(basis);
        assertThat(photo.at("/loser/version").asLong()).isEqualTo(lostAt);
        assertThat(photo.at("/winner/scheduler").asText()).isEqualTo("fa");
        assertThat(photo.at("/winner/basis").asLong()).isEqualTo(basis);
        assertThat(photo.at("/between/0/task").asText()).isEqualTo("photo-1/main/0");
        assertThat(photo.at("/placed/machine").asText()).isEqualTo("m-spare");
        assertThat(photo.at("/placed/version").asLong()).isEqualTo(lostAt + 1);
        CELL.get("/v1/conflicts/photo?version=1").problem(404, "not-found");
        assertThat(CELL.get("/v1/conflicts/photo").fault("version")).contains("is required");
    }

    @Test
    void badStretches_sayWhere() {
        assertThat(CELL.get("/v1/conflicts?from=soon").fault("from")).contains("a version (812) or a time");
        assertThat(CELL.get("/v1/conflicts?from=10&to=9").fault("to")).contains("before from");
        assertThat(CELL.get("/v1/conflicts?from=1&window=5m").fault("window")).contains("leave one of them out");
        assertThat(CELL.get("/v1/conflicts?groupBy=machin").fault("groupBy")).contains("machine");
        assertThat(CELL.get("/v1/conflicts?reason=NOSUCH").fault("reason")).contains("no such value");
        assertThat(CELL.get("/v1/conflicts/ledger?pageToken=x").fault("pageToken"))
                .isNotEmpty();
    }
}
