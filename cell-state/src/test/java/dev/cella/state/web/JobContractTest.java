package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    /** Raises the cell first, so that answers about jobs do not depend on which test updates a job first. */
    @BeforeAll
    static void raise() {
        CELL.keepVersionsOfUpdates();
    }

    @Test
    void submit_newJob_isCreatedAndShown() {
        Reply submitted = CELL.submit("new", 3);
        Reply shown = CELL.get("/v1/jobs/new?minVersion=" + submitted.version());

        assertThat(submitted.status()).isEqualTo(201);
        Golden.check("jobs/submit", submitted.json());
        Golden.check("jobs/get", shown.json());
        assertThat(shown.header("cella-version")).isEqualTo(Long.toString(shown.version()));
    }

    @Test
    void submit_poolOptionsGangAndOnLost_areShownAsAsked() {
        assertThat(CELL.post("/v1/jobs", """
            {"name": "ranks", "type": "batch", "pool": "research/vision",
             "options": {"placement": "best-fit", "draws": 3},
             "groups": [{"count": 4, "resources": {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["x"]},
                         "onLost": "wait", "gang": {"min": 4, "holdAfter": "5s"}}]}\
            """).status()).isEqualTo(201);

        JsonNode job = CELL.get("/v1/jobs/ranks").json().get("specification");

        assertThat(job.get("pool").asText()).isEqualTo("research/vision");
        assertThat(job.get("options").toString()).isEqualTo("{\"draws\":3,\"placement\":\"best-fit\"}");
        assertThat(job.get("groups").get(0).get("onLost").asText()).isEqualTo("WAIT");
        assertThat(job.get("groups").get(0).get("gang").toString())
                .isEqualTo("{\"min\":4,\"holdAfter\":\"5s\",\"restart\":\"ALL\"}");
        assertThat(CELL.post("/v1/jobs", """
            {"name": "pool", "type": "batch", "pool": "Research",
             "groups": [{"resources": {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["x"]}}]}\
            """).fault("pool")).contains("is no" + " name");
    }

    @Test
    void submit_sameJobAgain_doesNothing() {
        CELL.submit("same", 2);
        Reply again = CELL.submit("same", 2);

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("generation").asInt()).isEqualTo(1);
    }

    @Test
    void submit_otherJobOfALiveName_isAConflict() {
        CELL.submit("other", 2);

        assertThat(CELL.submit("other", 3).problem(409, "conflict").get("hint").asText())
                .contains("update");
    }

    @Test
    void put_newName_createsAndPutAgain_updates() {
        assertThat(CELL.put("/v1/jobs/rolled", RunningCell.job("rolled", 2)).status())
                .isEqualTo(201);

        Reply updated = CELL.put("/v1/jobs/rolled", RunningCell.job("rolled", 3));

        assertThat(updated.status()).isEqualTo(200);
        assertThat(updated.json().get("generation").asInt()).isEqualTo(2);
        assertThat(CELL.get("/v1/jobs/rolled")
                        .json()
                        .get("tasks")
                        .get("pending")
                        .asInt())
                .isEqualTo(3);
        Reply same = CELL.put("/v1/jobs/rolled", RunningCell.job("rolled", 3));
        assertThat(same.json().get("generation").asInt()).isEqualTo(2);
        assertThat(CELL.put("/v1/jobs/rolled", RunningCell.job("other", 3)).fault("name"))
                .contains("address");
    }

    /** As by a person who reads the job, changes what its tasks need, and sends it back. */
    @Test
    void put_ofAJobThatNeedsLessThanBefore_asksMachinesForLess() {
        CELL.post("/v1/jobs", """
            {"name": "lowered", "type": "batch",
             "groups": [{"resources": {"cpuMilli": 500, "memoryMib": 64},
                         "run": {"command": ["true"], "isolation": "full"}}]}""");
        JsonNode read = CELL.get("/v1/jobs/lowered").json().get("specification");
        assertThat(read.at("/groups/0/constraints/0/attribute").asText()).isEqualTo("isolation");

        CELL.put("/v1/jobs/lowered", read.toString().replace("\"isolation\":\"full\"", "\"isolation\":\"none\""));

        assertThat(CELL.get("/v1/jobs/lowered").json().at("/specification/groups/0/constraints"))
                .isEmpty();
    }

    @Test
    void scale_changesTheCountAndNotTheGeneration() {
        CELL.submit("scaled", 2);

        Reply scaled = CELL.post("/v1/jobs/scaled:scale", "{\"count\": 5}");

        assertThat(scaled.json().get("generation").asInt()).isEqualTo(1);
        JsonNode job = CELL.get("/v1/jobs/scaled").json();
        assertThat(job.get("tasks").get("pending").asInt()).isEqualTo(5);
        assertThat(job.get("specification").get("groups").get(0).get("count").asInt())
                .isEqualTo(5);
        assertThat(CELL.post("/v1/jobs/scaled:scale", "{\"group\": \"mian\", \"count\": 5}")
                        .fault("group"))
                .contains("main");
        assertThat(CELL.post("/v1/jobs/scaled:scale", "{\"count\": 100001}").fault("count"))
                .isNotEmpty();
        CELL.post("/v1/jobs/nosuch:scale", "{\"count\": 1}").problem(404, "not-found");
        assertThat(CELL.post("/v1/jobs/scaled:scale", "{}").fault("count")).isEqualTo("is required");
    }

    @Test
    void scale_toNothing_leavesNoTasks() {
        CELL.submit("rested", 2);

        assertThat(CELL.post("/v1/jobs/rested:scale", "{\"count\": 0}").status())
                .isEqualTo(200);
        assertThat(CELL.get("/v1/jobs/rested").json().at("/tasks/pending").asInt(-1))
                .isZero();
    }

    @Test
    void submit_nameOfAnEndedJob_isANewGeneration() {
        CELL.submit("again", 1);
        CELL.delete("/v1/jobs/again");
        Reply second = CELL.submit("again", 1);

        assertThat(second.status()).isEqualTo(201);
        assertThat(second.json().get("generation").asInt()).isEqualTo(2);
    }

    @Test
    void ports_areTakenFromTheMachine_andShownByName() {
        CELL.put("/v1/machines/m-ports", """
            {"capacity": {"cpuMilli": 4000, "memoryMib": 8192}, "members": {"ports": "8080,20000-20001"}}""");
        Reply submitted = CELL.post("/v1/jobs", """
            {"name": "ported", "type": "batch",
             "groups": [{"count": 2, "resources": {"cpuMilli": 500, "memoryMib": 64},
                         "run": {"command": ["serve", "${port.http}"]},
                         "ports": {"http": 8080, "admin": 0}, "check": {"tcp": true, "port": "http"}}]}""");
        assertThat(submitted.status()).isEqualTo(201);
        CELL.place("ported-1", "ported/main/0", "m-ports", "ported/main/1", "m-ports");

        assertThat(CELL.get("/v1/tasks/ported/main/0").json().at("/ports").toString())
                .isEqualTo("{\"admin\":20000,\"http\":8080}");
        assertThat(CELL.get("/v1/tasks/ported/main/1").json().at("/state").asText())
                .isEqualTo("PENDING");
    }

    @Test
    void submit_badJob_saysAllFaultsWithTheirPlaces() {
        Reply bad = CELL.post("/v1/jobs", """
            {"name": "bad", "type": "batch", "prioritty": 3,
             "groups": [{"count": 0, "resources": {"cpuMili": 500, "memoryMib": "much"}, "run": {"command": ["echo"]}}]}\
            """);

        assertThat(bad.fault("groups[0].resources.cpuMili")).contains("no such field, did you mean cpuMilli?");
        assertThat(bad.fault("groups[0].resources.memoryMib")).isNotEmpty();
        assertThat(bad.fault("prioritty")).contains("did you mean priority?");
        CELL.get("/v1/jobs/bad").problem(404, "not-found");
    }

    @Test
    void submit_jobAgainstTheRules_isRefusedWhole() {
        assertThat(CELL.submit("Bad_Name", 1).fault("name")).isNotEmpty();
        assertThat(CELL.submit("toomany", 100_001).fault("groups[0].count")).contains("100000");
        assertThat(CELL.post("/v1/jobs", "").fault("name")).isNotEmpty();
        assertThat(CELL.post("/v1/jobs", "{\"name\": ")
                        .problem(400, "bad-request")
                        .get("errors"))
                .isNotEmpty();
    }

    @Test
    void submit_service_isTriedAgainWithoutEnd() {
        CELL.post("/v1/jobs", RunningCell.job("svc", 1).replace("\"batch\"", "\"service\""));

        Reply job = CELL.get("/v1/jobs/svc");

        assertThat(job.json().get("type").asText()).isEqualTo("service");
        assertThat(job.json().get("scheduler").asText()).isEqualTo("service");
        assertThat(job.json().at("/specification/groups/0/restart").has("attempts"))
                .isFalse();
    }

    @Test
    void put_dryRun_saysWhatWouldBeDoneAndDoesNothing() {
        CELL.putMachine("m-dry-job", 1200, 8192);
        Reply create = CELL.put("/v1/jobs/dry?dryRun=true", RunningCell.job("dry", 3));
        assertThat(create.status()).isEqualTo(200);
        assertThat(create.json().at("/plan/effect").asText()).isEqualTo("CREATED");
        assertThat(create.json().at("/plan/groups/0/toPlace").asInt()).isEqualTo(3);
        assertThat(create.json().at("/plan/groups/0/fitting").asInt()).isPositive();
        CELL.get("/v1/jobs/dry").problem(404, "not-found");

        CELL.submit("dry", 3);
        CELL.place("dry-job-1", "dry/main/0", "m-dry-job");
        long before = CELL.get("/v1/cell").version();
        String next =
                RunningCell.job("dry", 2).replace("500", "600").replace("\"groups\"", "\"priority\": 60, \"groups\"");
        Reply update = CELL.put("/v1/jobs/dry?dryRun=true", next);

        Golden.check("jobs/dry-run", update.json());
        assertThat(CELL.put("/v1/jobs/dry?dryRun=true", RunningCell.job("dry", 3))
                        .json()
                        .at("/plan/effect")
                        .asText())
                .isEqualTo("UNCHANGED");
        assertThat(CELL.get("/v1/cell").version()).isEqualTo(before);
    }

    /** The dry run gives the same answer as the real request, also for refusals. */
    @Test
    void put_dryRunOfWhatWouldBeRefused_isRefusedTheSame() {
        CELL.submit("dry-typed", 1);
        String service = RunningCell.job("dry-typed", 1).replace("\"batch\"", "\"service\"");
        assertThat(CELL.put("/v1/jobs/dry-typed?dryRun=true", service)
                        .problem(409, "conflict")
                        .get("detail"))
                .isEqualTo(CELL.put("/v1/jobs/dry-typed", service)
                        .problem(409, "conflict")
                        .get("detail"));
        assertThat(CELL.put("/v1/jobs/dry-typed?dryRun=maybe", service).fault("dryRun"))
                .isNotEmpty();
        assertThat(CELL.post("/v1/jobs?dryRun=true", service).fault("dryRun")).contains("PUT");
    }

    @Test
    void scale_ofAJobThatHasEnded_isAConflict() {
        CELL.submit("late", 1);
        CELL.delete("/v1/jobs/late");

        assertThat(CELL.post("/v1/jobs/late:scale", "{\"count\": 1}")
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .isEqualTo("Job late has ended");
    }

    @Test
    void submit_thatIsNoJson_isAnUnsupportedMediaType() {
        CELL.send("POST", "/v1/jobs", RunningCell.job("form", 1), "Content-Type", "text/plain")
                .problem(415, "unsupported-media-type");
        CELL.send("POST", "/v1/jobs", RunningCell.job("form", 1)).problem(415, "unsupported-media-type");
        CELL.send(
                        "POST",
                        "/v1/jobs",
                        RunningCell.job("form", 1),
                        "Content-Type",
                        "application/json",
                        "Content-Encoding",
                        "br")
                .problem(415, "unsupported-media-type");
    }

    @Test
    void submit_moreThanAMebibyte_isTooLarge() {
        CELL.post("/v1/jobs", RunningCell.job("large", 1).replace("/bin/echo", "x".repeat(1 << 20)))
                .problem(413, "too-large");
    }

    @Test
    void get_jobThatNobodyServes_saysSo() {
        CELL.post(
                "/v1/jobs", RunningCell.job("unserved", 1).replace("\"type\"", "\"scheduler\": \"nobody\", \"type\""));
        Reply unserved = CELL.get("/v1/jobs/unserved");

        assertThat(unserved.json().get("state").asText()).isEqualTo("PENDING");
        assertThat(unserved.json().get("reason").asText()).contains("nobody");

        CELL.put("/v1/schedulers/nobody/sessions/one", "{\"type\": \"batch\", \"lease\": \"1h\"}");
        assertThat(CELL.get("/v1/jobs/unserved").json().has("reason")).isFalse();
    }

    @Test
    void stop_runningJob_stopsIt() {
        CELL.putMachine("m-stop", 4000, 8192);
        CELL.submit("stop", 2);
        CELL.place("stop-1", "stop/main/0", "m-stop");
        Reply stopped = CELL.delete("/v1/jobs/stop");

        assertThat(stopped.status()).isEqualTo(200);
        Golden.check("jobs/delete", stopped.json());
        assertThat(CELL.get("/v1/jobs/stop?minVersion=" + stopped.version())
                        .json()
                        .get("state")
                        .asText())
                .isIn("STOPPING", "STOPPED");
        CELL.delete("/v1/jobs/stop?grace=1m30s").json();
        assertThat(CELL.send("DELETE", "/v1/jobs/stop?grace=soon", "").fault("grace"))
                .contains("must be a duration");
        CELL.delete("/v1/jobs/nosuch").problem(404, "not-found");
    }

    @Test
    void list_byStateAndScheduler_showsThoseAlone() {
        CELL.submit("listed", 1);
        Reply all = CELL.get("/v1/jobs?scheduler=batch&state=pending,running&limit=1000");

        assertThat(all.json().get("jobs").findValuesAsText("name")).contains("listed");
        assertThat(CELL.get("/v1/jobs?scheduler=nosuch").json().get("jobs")).isEmpty();
        assertThat(all.json().get("jobs").get(0).has("specification")).isFalse();
        assertThat(all.json().get("jobs").get(0).has("version")).isFalse();
    }

    /** The rows of a page are made when it is read, from what was kept at the version of the list. */
    @Test
    void list_laterPage_showsTheJobsAsTheyWere() {
        submitLabelled("kept-a", "{\"kept\": \"yes\"}");
        submitLabelled("kept-b", "{\"kept\": \"yes\"}");
        Reply first = CELL.get("/v1/jobs?label=kept%3Dyes&limit=1");
        CELL.delete("/v1/jobs/kept-b").json();
        Reply second = CELL.get("/v1/jobs?limit=1&pageToken="
                + first.json().get("nextPageToken").asText());

        assertThat(second.json().at("/jobs/0/name").asText()).isEqualTo("kept-b");
        assertThat(second.json().at("/jobs/0/state").asText()).isEqualTo("PENDING");
        assertThat(second.json().at("/jobs/0/tasks/pending").asInt()).isEqualTo(1);
    }

    @Test
    void get_changedAfter_answersWhenTheJobChanges() {
        long version = CELL.submit("watched", 1).version();
        CompletableFuture<Reply> watched =
                CompletableFuture.supplyAsync(() -> CELL.get("/v1/jobs/watched?changedAfter=" + version + "&wait=30s"));
        CELL.submit("unrelated", 1);
        long stopped = CELL.delete("/v1/jobs/watched").version();

        assertThat(watched.join().json().get("changedVersion").asLong()).isEqualTo(stopped);
    }

    @Test
    void get_changedAfterAndNothingChanges_answersAsItIs() {
        long version = CELL.submit("still", 1).version();
        Reply still = CELL.get("/v1/jobs/still?wait=10ms&changedAfter=" + version);

        assertThat(still.status()).isEqualTo(200);
        assertThat(still.json().get("changedVersion").asLong()).isEqualTo(version);
    }

    @Test
    void get_versionThatDoesNotCome_isNotReached() {
        Reply early = CELL.get("/v1/jobs?wait=10ms&minVersion=1000000");

        early.problem(503, "version-not-reached");
        assertThat(early.header("retry-after")).isNotEmpty();
        assertThat(CELL.get("/v1/jobs?wait=61s&minVersion=1").fault("wait")).contains("60s");
        assertThat(CELL.get("/v1/jobs?minVersion=soon").fault("minVersion")).isNotEmpty();
    }

    @Test
    void jobs_areSelectedByTheirLabels() {
        submitLabelled("label-web", "{\"app\": \"web\", \"tier\": \"front\"}");
        submitLabelled("label-db", "{\"app\": \"db\", \"tier\": \"back\"}");

        assertThat(names("?label=app=web")).containsExactly("label-web");
        assertThat(names("?label=app")).containsExactlyInAnyOrder("label-web", "label-db");
        assertThat(names("?label=app=web,app")).containsExactly("label-web");
        assertThat(names("?label=app&label=app=web")).containsExactly("label-web");
        assertThat(names("?label=app=db,tier=front")).isEmpty();
        submitLabelled("label-comma", "{\"zones\": \"a,b\", \"path\": \"c:\\\\d\"}");
        assertThat(names("?label=zones=a%5C,b,path=c:%5Cd")).containsExactly("label-comma");
        assertThat(CELL.get("/v1/jobs/label-db").json().at("/labels/tier").asText())
                .isEqualTo("back");
        assertThat(CELL.get("/v1/jobs?label==x").fault("label")).contains("NAME=VALUE");
        assertThat(CELL.get("/v1/jobs?label=app=a,app=b").fault("label")).contains("two values");
    }

    @Test
    void jobs_changedAfter_areAnsweredWhenAJobLeavesThem() {
        submitLabelled("leaves", "{\"leaves\": \"not-yet\"}");
        CompletableFuture<Reply> label = changedFromNow("/v1/jobs?label=leaves=not-yet");
        CompletableFuture<Reply> scheduler = changedFromNow("/v1/jobs?scheduler=batch&label=leaves");

        CELL.put(
                "/v1/jobs/leaves",
                RunningCell.job("leaves", 1).replace("\"type\"", "\"scheduler\": \"other\", \"type\""));

        assertThat(label).succeedsWithin(Duration.ofSeconds(50));
        assertThat(label.join().json().get("jobs")).isEmpty();
        assertThat(scheduler).succeedsWithin(Duration.ofSeconds(50));
        assertThat(scheduler.join().json().get("jobs")).isEmpty();
    }

    /** Waits longer than a test does for it. */
    private static CompletableFuture<Reply> changedFromNow(String path) {
        String after = "&wait=60s&changedAfter=" + CELL.get("/v1/cell").version();
        return CompletableFuture.supplyAsync(() -> CELL.get(path + after));
    }

    private static void submitLabelled(String name, String labels) {
        String job = RunningCell.job(name, 1).replace("\"type\"", "\"labels\": " + labels + ", \"type\"");
        assertThat(CELL.post("/v1/jobs", job).status()).isEqualTo(201);
    }

    private static List<String> names(String query) {
        List<String> names = new ArrayList<>();
        CELL.get("/v1/jobs" + query)
                .json()
                .get("jobs")
                .forEach(job -> names.add(job.get("name").asText()));
        return names;
    }

    @Test
    void update_ofABatchJob_orWithoutSense_isRefused() {
        String job = service("senseless", "{\"maxParallel\": 0, \"healthyAfter\": \"1m\", \"deadline\": \"10s\"}");
        Reply bad = CELL.post("/v1/jobs", job);
        assertThat(bad.fault("groups[0].update.maxParallel")).contains("from 1 to 100000");
        assertThat(bad.fault("groups[0].update.healthyAfter")).contains("shorter than the deadline");
        Reply batch = CELL.post("/v1/jobs", service("batchy", "{}").replace("\"service\"", "\"batch\""));
        assertThat(batch.fault("groups[0].update")).contains("is of a service");
    }

    @Test
    void revert_isAnUpdateToWhatTheJobWas_andKeepsWhatItWasScaledTo() {
        CELL.putMachine("m-revert", 4000, 8192);
        String job = service("back", "{}");
        CELL.post("/v1/jobs", job);
        CELL.post("/v1/jobs/back:revert", "{}").problem(409, "conflict");
        CELL.place("back-1", "back/main/0", "m-revert");
        CELL.put("/v1/jobs/back", job.replace("/bin/echo", "/bin/printf"));
        assertThat(CELL.get("/v1/jobs/back").json().get("outdated").asLong()).isEqualTo(1);
        CELL.post("/v1/jobs/back:scale", "{\"count\": 3}");

        assertThat(CELL.get("/v1/jobs/back").json().get("revertsTo").asInt()).isEqualTo(1);
        Reply reverted = CELL.post("/v1/jobs/back:revert", "{}");
        assertThat(reverted.json().get("generation").asInt()).isEqualTo(3);
        JsonNode row = CELL.get("/v1/jobs/back").json();
        assertThat(row.get("revertedTo") == null ? 0 : row.get("revertedTo").asInt())
                .isZero();
        assertThat(row.get("outdated").asLong()).isZero();
        assertThat(row.at("/specification/groups/0/run/command/0").asText()).isEqualTo("/bin/echo");
        assertThat(row.at("/groups/0/count").asInt()).isEqualTo(3);
        assertThat(row.at("/generations/0/generation").asInt()).isEqualTo(1);
        Reply future = CELL.post("/v1/jobs/back:revert", "{\"generation\": 3}");
        assertThat(future.fault("generation")).contains("from 1 to 2, is 3");
        assertThat(future.json().get("hint").asText()).contains("cella job revert back --to 2");
        CELL.post("/v1/jobs/back:revert", "{\"checkVersion\": 1}").problem(409, "conflict");
        CELL.post("/v1/jobs/back:revert", "{\"checkVersion\": 0}").problem(409, "conflict");
        CELL.post("/v1/jobs/nosuch:revert", "{}").problem(404, "not-found");
        CELL.post("/v1/jobs/back:revert", "{\"generation\": 2}");
        assertThat(CELL.post("/v1/jobs/back:revert", "{\"generation\": 3}")
                        .json()
                        .get("generation")
                        .asInt())
                .isEqualTo(5);
        assertThat(CELL.get("/v1/jobs/back").json().get("revertedTo").asInt()).isEqualTo(3);
    }

    @Test
    void revertThatNamesWhatTheJobBecomes_mayBeRepeated() {
        String job = service("twice", "{}");
        CELL.post("/v1/jobs", job);
        assertThat(CELL.get("/v1/jobs/twice").json().has("revertsTo")).isFalse();
        CELL.put("/v1/jobs/twice", job.replace("/bin/echo", "/bin/printf"));
        JsonNode seen = CELL.get("/v1/jobs/twice").json();
        String request =
                "{\"generation\": " + seen.get("revertsTo") + ", \"checkVersion\": " + seen.get("updatedVersion") + "}";

        for (int time = 0; time < 2; time++) {
            Reply reverted = CELL.post("/v1/jobs/twice:revert", request);
            assertThat(reverted.json().get("generation").asInt()).isEqualTo(3);
        }

        CELL.delete("/v1/jobs/twice");
        assertThat(CELL.get("/v1/jobs/twice").json().has("revertsTo")).isFalse();
    }

    /** An update's extra task is no number that a person asked for, neither for a revert nor for the same job again. */
    @Test
    void revertAndTheSameJobAgain_whileASchedulerHasScaledIt_keepTheNumberThatAPersonAskedFor() {
        String job = service("surged", "{}").replace("\"count\": 1", "\"count\": 2");
        CELL.post("/v1/jobs", job);
        String next = job.replace("/bin/echo", "/bin/printf");
        CELL.put("/v1/jobs/surged", next);
        String scale =
                "{\"id\": \"surged-1\", \"scheduler\": \"batch\", \"scales\": [{\"job\": \"surged\", \"count\": 3}]}";
        assertThat(CELL.post("/v1/transactions", scale).json().get("outcome").asText())
                .isEqualTo("COMMITTED");
        JsonNode row = CELL.get("/v1/jobs/surged").json();
        assertThat(row.at("/groups/0/count").asInt()).isEqualTo(3);
        assertThat(row.at("/specification/groups/0/count").asInt()).isEqualTo(2);

        assertThat(CELL.put("/v1/jobs/surged", next).json().get("generation").asInt())
                .isEqualTo(2);
        assertThat(CELL.post("/v1/jobs/surged:revert", "{}")
                        .json()
                        .get("generation")
                        .asInt())
                .isEqualTo(3);

        JsonNode reverted = CELL.get("/v1/jobs/surged").json();
        assertThat(reverted.at("/groups/0/count").asInt()).isEqualTo(2);
        assertThat(reverted.at("/specification/groups/0/count").asInt()).isEqualTo(2);
    }

    /** Two updates in a row are one to the newer, also if the first is a revert that no task has followed yet. */
    @Test
    void updateInTheMiddleOfARevert_isAnUpdateToTheNewer_andTheRevertIsNotAskedForAgain() {
        CELL.putMachine("m-amid", 4000, 8192);
        String job = service("amid", "{}");
        CELL.post("/v1/jobs", job);
        CELL.place("amid-1", "amid/main/0", "m-amid");
        long second = CELL.put("/v1/jobs/amid", job.replace("/bin/echo", "/bin/printf"))
                .version();
        long reverted = CELL.post("/v1/jobs/amid:revert", "{\"checkVersion\": " + second + "}")
                .version();

        Reply newer = CELL.put("/v1/jobs/amid?checkVersion=" + reverted, job.replace("/bin/echo", "/bin/true"));

        assertThat(newer.status()).isEqualTo(200);
        assertThat(newer.json().get("generation").asInt()).isEqualTo(4);
        JsonNode row = CELL.get("/v1/jobs/amid").json();
        assertThat(row.at("/specification/groups/0/run/command/0").asText()).isEqualTo("/bin/true");
        assertThat(row.get("outdated").asLong()).isEqualTo(1);
        for (long seen : List.of(second, reverted)) {
            String late = "{\"generation\": 1, \"checkVersion\": " + seen + "}";
            assertThat(CELL.post("/v1/jobs/amid:revert", late)
                            .problem(409, "conflict")
                            .get("detail")
                            .asText())
                    .contains("amid", "version");
            CELL.put("/v1/jobs/amid?checkVersion=" + seen, job).problem(409, "conflict");
        }
        assertThat(CELL.get("/v1/jobs/amid").json().get("generation").asInt()).isEqualTo(4);
    }

    @Test
    void promote_letsTheRestFollowItsCanaries() {
        CELL.putMachine("m-canary", 4000, 8192);
        String job = service("coal", "{\"canary\": 1}").replace("\"count\": 1", "\"count\": 2");
        CELL.post("/v1/jobs", job);
        CELL.place("coal-1", "coal/main/0", "m-canary", "coal/main/1", "m-canary");
        CELL.put("/v1/jobs/coal", job.replace("/bin/echo", "/bin/printf"));

        Reply promoted = CELL.post("/v1/jobs/coal:promote", "{}");

        assertThat(promoted.json().get("generation").asInt()).isEqualTo(3);
        assertThat(CELL.get("/v1/jobs/coal")
                        .json()
                        .at("/specification/groups/0/update/canary")
                        .asInt())
                .isZero();
        CELL.post("/v1/jobs/coal:promote", "{}").problem(409, "conflict");
    }

    /** A promotion is a generation of its own, but its tasks are those of the canaries. */
    @Test
    void revert_afterAPromotion_goesBackBeforeTheUpdate_andNothingIsLeftToPromote() {
        CELL.putMachine("m-promoted", 4000, 8192);
        String job = service("mine", "{\"canary\": 1}");
        CELL.post("/v1/jobs", job);
        CELL.post("/v1/jobs/mine:promote", "{}").problem(409, "conflict");
        CELL.place("mine-1", "mine/main/0", "m-promoted");
        CELL.put("/v1/jobs/mine", job.replace("/bin/echo", "/bin/printf"));
        CELL.post("/v1/jobs/mine:promote", "{}");

        CELL.post("/v1/jobs/mine:revert", "{}");

        JsonNode row = CELL.get("/v1/jobs/mine").json();
        assertThat(row.at("/specification/groups/0/run/command/0").asText()).isEqualTo("/bin/echo");
        assertThat(row.get("generation").asInt()).isEqualTo(4);
        CELL.post("/v1/jobs/mine:promote", "{}").problem(409, "conflict");
    }

    private static String service(String name, String update) {
        return RunningCell.job(name, 1)
                .replace("\"batch\"", "\"service\", \"scheduler\": \"batch\"")
                .replace("\"count\"", "\"update\": " + update + ", \"count\"");
    }

    @Test
    void update_leavesTasksOnMachinesOutdated_andTheirRowsSayTheirGeneration() {
        CELL.putMachine("m-outdated", 4000, 8192);
        String job = RunningCell.job("renewed", 2);
        CELL.post("/v1/jobs", job);
        CELL.place("renewed-1", "renewed/main/0", "m-outdated");

        CELL.put("/v1/jobs/renewed", job.replace("/bin/echo", "/bin/printf"));

        assertThat(CELL.get("/v1/jobs/renewed").json().get("outdated").asLong()).isEqualTo(1);
        assertThat(CELL.get("/v1/tasks/renewed/main/0").json().get("generation").asLong())
                .isEqualTo(1);
        assertThat(CELL.get("/v1/tasks/renewed/main/1").json().get("generation").asLong())
                .isEqualTo(2);
    }
}
