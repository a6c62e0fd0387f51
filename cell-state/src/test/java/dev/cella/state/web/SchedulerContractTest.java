package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SchedulerContractTest {
    /** Longer than these tests ever take: a session that expired would add a version that no test expects. */
    private static final String FOR_AN_HOUR = "{\"type\": \"batch\", \"lease\": \"1h\"}";

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void open_answersWithANewSession() {
        Reply opened = CELL.put("/v1/schedulers/open/sessions/one", FOR_AN_HOUR);

        assertThat(opened.status()).isEqualTo(200);
        Golden.check("schedulers/open", opened.json());
    }

    @Test
    void renew_keepsTheSessionAndWritesNothing() {
        Reply opened = CELL.put("/v1/schedulers/renew/sessions/one", FOR_AN_HOUR);
        long session = opened.json().get("session").asLong();
        long before = CELL.get("/v1/cell").version();
        Reply renewed = CELL.put(
                "/v1/schedulers/renew/sessions/one",
                "{\"type\": \"batch\", \"lease\": \"1h\", \"session\": %d}".formatted(session));

        assertThat(renewed.json().get("session").asLong()).isEqualTo(session);
        assertThat(CELL.get("/v1/cell").version()).isEqualTo(before);
    }

    @Test
    void openAgain_fencesTheOlder() {
        String path = "/v1/schedulers/fence/sessions/one";
        long older = CELL.put(path, FOR_AN_HOUR).json().get("session").asLong();
        long newer = CELL.put(path, FOR_AN_HOUR).json().get("session").asLong();

        assertThat(newer).isGreaterThan(older);
        assertThat(CELL.put(path, "{\"session\": %d}".formatted(older))
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("FENCED");
        assertThat(CELL.delete(path + "?session=" + older)
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("FENCED");
    }

    @Test
    void close_endsTheSession() {
        String path = "/v1/schedulers/close/sessions/one";
        CELL.put(path, FOR_AN_HOUR);
        Reply closed = CELL.delete(path);

        assertThat(closed.status()).isEqualTo(200);
        Golden.check("schedulers/close", closed.json());
        CELL.delete(path).problem(404, "not-found");
    }

    @Test
    void list_showsEachInstanceWithWhatTheCellCountedAndWhatItSays() {
        long first = open("/v1/schedulers/listed/sessions/a");
        open("/v1/schedulers/listed/sessions/b");
        CELL.putMachine("m-listed", 500, 8192);
        CELL.post("/v1/jobs", RunningCell.job("listed", 2).replace("\"type\"", "\"scheduler\": \"listed\", \"type\""));
        CELL.post(
                "/v1/transactions",
                "{\"id\":\"listed-1\",\"scheduler\":\"listed\",\"session\":%d,\"claims\":[{\"task\":\"listed/main/0\",\"machine\":\"m-listed\"},{\"task\":\"listed/main/1\",\"machine\":\"m-listed\"}]}"
                        .formatted(first));
        Reply said = CELL.post(
                "/v1/schedulers/listed/sessions/a:report",
                report(first, CELL.get("/v1/cell").version() - 1));
        assertThat(said.status()).as(said.body()).isEqualTo(200);

        JsonNode listed = CELL.get("/v1/schedulers").json();
        assertThat(listed.get("schedulers").findValuesAsText("instance")).contains("a", "b");
        listed.get("schedulers").forEach(each -> {
            if (each.get("name").asText().equals("listed")) {
                Golden.check("schedulers/listed-" + each.get("instance").asText(), each);
            }
        });
    }

    @Test
    void list_changedAfter_isAnsweredWhenASessionIsClosed() {
        open("/v1/schedulers/leaving/sessions/a");
        CompletableFuture<Reply> list = changedFromNow("/v1/schedulers?");

        CELL.delete("/v1/schedulers/leaving/sessions/a");

        assertThat(list).succeedsWithin(Duration.ofSeconds(50));
        assertThat(list.join().json().get("schedulers").findValuesAsText("name"))
                .doesNotContain("leaving");
    }

    /** Waits longer than a test does for it. */
    private static CompletableFuture<Reply> changedFromNow(String path) {
        String after = "wait=60s&changedAfter=" + CELL.get("/v1/cell").version();
        return CompletableFuture.supplyAsync(() -> CELL.get(path + after));
    }

    private static long open(String path) {
        return CELL.put(path, FOR_AN_HOUR).json().get("session").asLong();
    }

    private static String report(long session, long viewVersion) {
        return """
                {"session": %d, "viewVersion": %d, "queueLength": 3, "transactionsInFlight": 1, "elapsed": "10s",
                 "busy": "4s", "wasted": "500ms", "plans": 4, "planning": "2s", "plansRepeated": 1, "plansGivenUp": 2}""".formatted(session, viewVersion);
    }

    @Test
    void report_isAnsweredWithWhatWaits() {
        String path = "/v1/schedulers/waits/sessions/one";
        long session = CELL.put(path, FOR_AN_HOUR).json().get("session").asLong();

        assertThat(RunningCell.names(
                        CELL.post(path + ":report", report(session, 1)).json()))
                .containsExactly("version", "transactionsWaiting");
    }

    /** It would spoil the figures of all schedulers. */
    @Test
    void report_withADurationThatNobodyCanCount_isRefused() {
        String path = "/v1/schedulers/endless/sessions/one";
        String report = report(open(path), 1).replace("\"10s\"", "\"2600000h\"");
        assertThat(CELL.post(path + ":report", report).fault("elapsed")).contains("292 years");
        assertThat(CELL.get("/v1/schedulers").status()).isEqualTo(200);
    }

    @Test
    void report_ofASessionThatIsNotOpen_isFenced() {
        String path = "/v1/schedulers/reporter/sessions/one";
        long older = open(path);
        open(path);

        assertThat(CELL.post(path + ":report", report(older, 1))
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("FENCED");
        assertThat(CELL.post(path + ":report", "{}").fault("session")).contains("required");
    }

    @Test
    void pendingFor_dividesTheJobsAmongTheInstances() {
        open("/v1/schedulers/shared/sessions/a");
        open("/v1/schedulers/shared/sessions/b");
        Set<String> submitted = new HashSet<>();
        for (int job = 0; job < 20; job++) {
            submitted.add("shared-" + job);
            CELL.post(
                    "/v1/jobs",
                    RunningCell.job("shared-" + job, 1).replace("\"type\"", "\"scheduler\": \"shared\", \"type\""));
        }
        List<String> ofA = pendingFor("shared", "a");
        List<String> ofB = pendingFor("shared", "b");

        assertThat(ofA).isNotEmpty().doesNotContainAnyElementsOf(ofB);
        assertThat(ofB).isNotEmpty();
        CELL.delete("/v1/schedulers/shared/sessions/b");
        assertThat(pendingFor("shared", "a")).containsExactlyInAnyOrderElementsOf(submitted);
        CELL.get("/v1/jobs?scheduler=shared&pendingFor=b").problem(404, "not-found");
        assertThat(CELL.get("/v1/jobs?pendingFor=a").fault("scheduler")).contains("required");
    }

    @Test
    void pendingFor_changedAfter_isAnsweredWhenAJobLeavesIt() {
        long session = open("/v1/schedulers/emptied/sessions/a");
        CELL.putMachine("m-emptied", 500, 8192);
        CELL.post(
                "/v1/jobs", RunningCell.job("emptied", 1).replace("\"type\"", "\"scheduler\": \"emptied\", \"type\""));
        CompletableFuture<Reply> list = changedFromNow("/v1/jobs?scheduler=emptied&pendingFor=a&");

        CELL.post(
                "/v1/transactions",
                "{\"id\":\"emptied-1\",\"scheduler\":\"emptied\",\"session\":%d,\"claims\":[{\"task\":\"emptied/main/0\",\"machine\":\"m-emptied\"}]}"
                        .formatted(session));

        assertThat(list).succeedsWithin(Duration.ofSeconds(50));
        assertThat(list.join().json().get("jobs")).isEmpty();
    }

    @Test
    void pendingFor_changedAfter_isAnsweredWhenAnotherInstanceLeaves() {
        open("/v1/schedulers/remaining/sessions/a");
        open("/v1/schedulers/remaining/sessions/b");
        CompletableFuture<Reply> list = changedFromNow("/v1/jobs?scheduler=remaining&pendingFor=a&");

        CELL.delete("/v1/schedulers/remaining/sessions/b");

        assertThat(list).succeedsWithin(Duration.ofSeconds(50));
    }

    private static List<String> pendingFor(String scheduler, String instance) {
        List<String> names = new ArrayList<>();
        CELL.get("/v1/jobs?scheduler=" + scheduler + "&pendingFor=" + instance)
                .json()
                .get("jobs")
                .forEach(job -> names.add(job.get("name").asText()));
        return names;
    }

    @Test
    void paused_aSchedulersJobsSayAndItsInstancesSeeIt() {
        open("/v1/schedulers/napping/sessions/a");
        CELL.post("/v1/jobs", RunningCell.job("napped", 1).replace("\"type\"", "\"scheduler\": \"napping\", \"type\""));

        Reply paused = CELL.post("/v1/schedulers/napping:pause", "{}");
        assertThat(paused.status()).as(paused.body()).isEqualTo(200);
        assertThat(paused.json().get("paused").asBoolean()).isTrue();
        assertThat(stateOf("napping")).isEqualTo("PAUSED");
        assertThat(CELL.get("/v1/jobs/napped").json().get("reason").asText()).isEqualTo("scheduler napping is paused");
        JsonNode explained = CELL.get("/v1/jobs/napped:explain").json();
        assertThat(explained.get("summary").asText()).isEqualTo("napped is not planned: scheduler napping is paused");
        assertThat(explained.get("wakesOn").get(0).asText()).isEqualTo("scheduler napping being resumed");
        assertThat(pendingFor("napping", "a")).isEmpty();

        Reply resumed = CELL.post("/v1/schedulers/napping:resume", "");
        assertThat(resumed.json().get("paused").asBoolean()).isFalse();
        assertThat(resumed.json().get("version").asLong())
                .isGreaterThan(paused.json().get("version").asLong());
        assertThat(stateOf("napping")).isEqualTo("OPEN");
        assertThat(CELL.get("/v1/jobs/napped").json().has("reason")).isFalse();
        assertThat(pendingFor("napping", "a")).containsExactly("napped");
    }

    @Test
    void pause_ofWhatNobodyHasHeardOf_isNotFound() {
        assertThat(CELL.post("/v1/schedulers/nobody:pause", "{}")
                        .problem(404, "not-found")
                        .get("detail")
                        .asText())
                .isEqualTo("There is no scheduler nobody: it has no session, and no job names it");
        assertThat(CELL.post("/v1/schedulers/nobody:halt", "{}")
                        .problem(404, "not-found")
                        .get("hint")
                        .asText())
                .contains("pause", "resume");
    }

    private static String stateOf(String scheduler) {
        for (JsonNode each : CELL.get("/v1/schedulers").json().get("schedulers")) {
            if (each.get("name").asText().equals(scheduler)) {
                return each.get("state").asText();
            }
        }
        throw new AssertionError("no scheduler " + scheduler);
    }

    @Test
    void badInput_saysWhere() {
        assertThat(CELL.put("/v1/schedulers/bad/sessions/one", "{\"lease\": \"forever\"}")
                        .fault("lease"))
                .isNotEmpty();
        assertThat(CELL.put("/v1/schedulers/bad/sessions/one", "{\"lease\": \"0s\"}")
                        .fault("lease"))
                .contains("1ms");
        assertThat(CELL.put("/v1/schedulers/bad/sessions/one", "{\"lease\": \"2h\"}")
                        .fault("lease"))
                .contains("1h");
        assertThat(CELL.put("/v1/schedulers/bad/sessions/one", "{\"tipe\": \"x\"}")
                        .fault("tipe"))
                .contains("type");
        CELL.put("/v1/schedulers/bad/sessions/One!", "{}").problem(404, "not-found");
    }
}
