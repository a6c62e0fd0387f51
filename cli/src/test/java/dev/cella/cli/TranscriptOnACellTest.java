package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Duration;
import dev.cella.cli.plugin.Replays;
import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.ConflictRule;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.ReplayConflictsRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.client.proto.WhatIf;
import dev.cella.client.proto.WhatIfScheduler;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plays the commands about schedulers, their conflicts, machines and jobs, and compares their output with the transcripts. This
 * class writes the history of the cell; every version, count and reason in the transcripts follows from it. Times are not
 * compared.
 * {@code -Dtranscripts=rewrite} writes them again, to be read in the diff.
 */
final class TranscriptOnACellTest {
    private static final Path FOLDER = Path.of("src/test/resources/transcripts-on-a-cell");
    private static final String PROMPT = "$ cella";
    private static final String SAYS = "# web says that late ";
    private static final String LACKS = "lacks room";
    private static final int TASKS = 12;

    /** What web may say of the job late, by the words of a transcript. */
    private static final Map<String, String> OF_LATE = Map.of(
            LACKS,
            """
            "phase": "ASLEEP", "attempts": 3, "wakesOn": ["a machine that gains room for 1000 cpuMilli, 64 memoryMib"],
             "unplaced": [{"group": 0, "tasks": 11, "sentence": "2 machines lack cpuMilli",
                "reasons": [{"reason": "LACKS", "dimension": "cpuMilli", "machines": 2, "example": "m-1"}],
                "largestFree": {"machine": "m-1", "free": {"cpuMilli": 0, "memoryMib": 4032}}}]""",
            "would fit after a change",
            """
            "phase": "ASLEEP", "attempts": 3, "wakesOn": ["a machine that gains room for 1000 cpuMilli, 64 memoryMib"],
             "unplaced": [{"group": 0, "tasks": 11, "sentence": "2 machines lack cpuMilli",
                "reasons": [{"reason": "LACKS", "dimension": "cpuMilli", "machines": 2, "example": "m-1"}],
                "helps": ["1000 cpuMilli more on m-1", "the eviction of 1 task of priority 50 on m-1"]}]""",
            "waits for its turn",
            """
            "phase": "READY", "queuePlace": 3""",
            "backs off",
            """
            "phase": "RESTING", "attempts": 4, "wakesIn": "800ms"
            """,
            "waits for others",
            """
            "phase": "ASLEEP", "attempts": 1, "wakesOn": ["the end of the hold for job gang"],
             "unplaced": [{"group": 0, "tasks": 11, "sentence": "2 machines have the room held for job gang",
                "reasons": [{"reason": "HELD", "detail": "job gang", "machines": 2, "example": "m-1"}]}]""");

    @TempDir
    private static Path home;

    private static CellServer server;
    private static HttpCell cell;
    private static long web;
    private static long late;

    @BeforeAll
    static void startACellWithAHistory() throws Exception {
        CellServerOptions options = CellServerOptions.defaults(home.resolve("data"))
                .withPort(0)
                .withFreeBytesMin(0)
                .withReplay(Replays.of(List.of()));
        server = CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
        cell = new HttpCell(URI.create(server.address()));
        putMachine("m-1");
        putMachine("m-2");
        long batch = open("batch");
        web = open("web");
        submit("early", "batch", 2);
        late = submit("late", "web", TASKS);
        long seen = loseTwoClaimsThatNoLongerFit(batch);
        loseTheOthersToTheRuleByMachine(seen);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static long loseTwoClaimsThatNoLongerFit(long batch) {
        long seen = cell.getCell().getVersion();
        TransactionRequest.Builder first = transaction("batch-1", "batch", batch, seen);
        TransactionRequest.Builder second = transaction("web-1", "web", web, seen);
        for (int task = 0; task < 2; task++) {
            first.addClaims(claim("early", task, "m-" + (task + 1)));
            second.addClaims(claim("late", task, "m-" + (task + 1)));
        }
        cell.commit(first.build());
        cell.commit(second.build());
        return seen;
    }

    /** What early had on m-2 has ended, but web asks that nobody has claimed there since it looked. */
    private static void loseTheOthersToTheRuleByMachine(long seen) {
        report("early", TaskState.TASK_STATE_RUNNING);
        report("early", TaskState.TASK_STATE_FINISHED);
        TransactionRequest.Builder byMachine =
                transaction("web-2", "web", web, seen).setConflictRule(ConflictRule.CONFLICT_RULE_MACHINE);
        for (int task = 2; task < TASKS; task++) {
            byMachine.addClaims(claim("late", task, "m-2"));
        }
        cell.commit(byMachine.build());
        cell.commit(transaction("web-3", "web", web, cell.getCell().getVersion())
                .addClaims(claim("late", 9, "m-2"))
                .build());
    }

    private static void putMachine(String name) {
        cell.putMachine(PutMachineRequest.newBuilder()
                .setName(name)
                .putAllCapacity(Map.of("cpuMilli", 1_000L, "memoryMib", 4_096L))
                .build());
    }

    private static long open(String scheduler) {
        return cell.openSession(OpenSessionRequest.newBuilder()
                        .setName(scheduler)
                        .setInstance("one")
                        .setType("batch")
                        .setLease(Duration.newBuilder().setSeconds(3_600))
                        .build())
                .getSession();
    }

    private static long submit(String job, String scheduler, int count) {
        return cell.submitJob(Job.newBuilder()
                        .setName(job)
                        .setType(JobType.JOB_TYPE_BATCH)
                        .setScheduler(scheduler)
                        .addGroups(Group.newBuilder()
                                .setCount(count)
                                .putAllResources(Map.of("cpuMilli", 1_000L, "memoryMib", 64L))
                                .setRun(Run.newBuilder().addCommand("true")))
                        .build())
                .getVersion();
    }

    private static TransactionRequest.Builder transaction(String id, String scheduler, long session, long basis) {
        return TransactionRequest.newBuilder()
                .setId(id)
                .setScheduler(scheduler)
                .setSession(session)
                .setBasis(basis);
    }

    private static ClaimRequest claim(String job, int task, String machine) {
        return ClaimRequest.newBuilder()
                .setTask(job + "/main/" + task)
                .setMachine(machine)
                .build();
    }

    private static void report(String job, TaskState state) {
        cell.reportTask(ReportTaskRequest.newBuilder()
                .setJob(job)
                .setGroup("main")
                .setIndex(1)
                .setAttempt(1)
                .setState(state)
                .build());
    }

    /** As its scheduler would every second: the cell forgets what was said for the last time half a minute ago. */
    private static void sayWhy(String ofLate) throws Exception {
        String said = """
            {"session": %d, "viewVersion": 14, "queueLength": 3, "transactionsInFlight": 1, "elapsed": "10s", "busy": "4s",
             "wasted": "2500ms", "plans": 4, "planning": "2s", "plansFailed": 2, "plansGivenUp": 1, "plansRepeated": 1,
             "lastPlannerFailure": "the planner did not come back within 5 s",
             "jobs": [{"jobVersion": %d, %s}]}\
            """.formatted(web, late, OF_LATE.get(ofLate));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(server.address() + "/v1/schedulers/web/sessions/one:report"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(said))
                .build();
        assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()))
                .satisfies(answer ->
                        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200));
    }

    @Test
    void whatIf_countsWhatHappened_besideTwoReplays() throws Exception {
        sayWhy(LACKS);
        WhatIf whatIf = cell.replayConflicts(ReplayConflictsRequest.newBuilder()
                .setScheduler("web")
                .setConflictRule(ConflictRule.CONFLICT_RULE_RESOURCE)
                .build());
        assertThat(whatIf.getChange()).isEqualTo("conflictRule RESOURCE for web");
        assertThat(whatIf.getTasks())
                .as("two of early, one of late that was placed at last")
                .isGreaterThanOrEqualTo(3);
        WhatIfScheduler ofWeb = whatIf.getSchedulersList().stream()
                .filter(each -> each.getName().equals("web"))
                .findFirst()
                .orElseThrow();
        assertThat(ofWeb.getHappened().getClaimsConflicted()).isEqualTo(12);
        assertThat(ofWeb.getReplayed().getJobs()).isEqualTo(1);
        assertThat(whatIf.getNotesList()).anyMatch(note -> note.startsWith("Not replayed:"));

        String typed = play("conflicts --scheduler web --what-if conflict-rule=resource --what-if instances=2");
        assertThat(typed)
                .contains("what if: conflictRule RESOURCE, instances 2 for web", "replayed as it was", "exit code 0");
        assertThat(play("conflicts --what-if conflict-rule=row"))
                .contains("there is no conflict rule row", "one of resource, machine", "exit code 64");
        assertThat(play("conflicts --what-if type=sparrow")).contains("type sparrow cannot be replayed", "exit code 1");
        assertThat(play("conflicts --scheduler nobody --what-if instances=2"))
                .contains("those that did are batch, web", "exit code 1");
    }

    /** The first of them pauses and resumes, so that versions follow; the last stops the job late. */
    @ParameterizedTest
    @ValueSource(strings = {"schedulers-and-conflicts.txt", "explanations.txt", "machines-and-jobs.txt"})
    void theUserSeesWhatTheTranscriptSays(String file) throws Exception {
        Path transcript = FOLDER.resolve(file);
        String expected = Files.readString(transcript);
        StringBuilder seen = new StringBuilder();
        String ofLate = LACKS;
        for (String line : expected.lines().toList()) {
            if (line.startsWith(SAYS)) {
                ofLate = line.substring(SAYS.length());
                seen.append(line).append('\n');
            } else if (line.startsWith(PROMPT)) {
                sayWhy(ofLate);
                seen.append(line)
                        .append('\n')
                        .append(play(line.substring(PROMPT.length()).strip()));
            }
        }
        if (System.getProperty("transcripts", "").equals("rewrite")) {
            Files.writeString(transcript, seen);
            return;
        }
        assertThat(seen.toString()).isEqualTo(expected);
    }

    private static String play(String arguments) {
        TypedCommand typed = new TypedCommand(home);
        int code = run(typed, arguments);
        return timeless(typed.out() + typed.err()) + "exit code " + code + "\n\n";
    }

    private static int run(TypedCommand typed, String arguments) {
        String[] words = (arguments + " --address " + server.address()).split(" ");
        return new CellaCommand(typed.terminal()).run(words);
    }

    private static String timeless(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
                .replaceAll("\\b\\d\\d:\\d\\d:\\d\\d\\b", "HH:MM:SS")
                .replace(server.address(), "ADDRESS")
                .replaceAll("http://127.0.0.1:\\d+", "ADDRESS")
                .replaceAll("(\"?incarnation\"? ?: )\"?[^\",\\n]+\"?", "$1ID")
                .replaceAll("(\"?saidAgo\"? ?: )\"?[^\",\\n]+\"?", "$1AGO")
                .replaceAll("in the last [\\d.]+ s: (\\d+), [\\d.]+ a second", "in the last SECONDS: $1, RATE a second")
                .replaceAll("(\"?(?:counted|\\w+PerSecond)\"? ?: )\"?[^\",\\n]+\"?", "$1VARIES");
    }

    @Test
    void watch_printsAgainUntilItIsInterrupted() throws Exception {
        TypedCommand typed = new TypedCommand(home);
        Thread watching = new Thread(() -> run(typed, "conflicts --watch --scheduler web"), "watching");
        watching.start();
        await().atMost(java.time.Duration.ofMinutes(1)).until(() -> typed.out().split("LOST BY", -1).length > 2);
        watching.interrupt();
        watching.join();
        assertThat(typed.out()).contains("hint: 10 of web's 12 lost claims are MACHINE_CHANGED");
    }
}
