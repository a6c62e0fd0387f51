package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A job that is planned, updated, scaled and restarted by the command, beside a {@code cella dev} with hollow machines. */
@EnabledOnOs(OS.LINUX)
final class JobChangesTest {
    @TempDir
    private static Path home;

    private static DevProcess dev;

    @BeforeAll
    static void start() throws IOException {
        dev = DevProcess.start(home, "--port", "0", "--machines", "4");
    }

    @AfterAll
    static void stop() {
        dev.close();
    }

    @Test
    void plan_showsWhereTheTasksWouldGo_andSubmitsNothing() throws IOException {
        Answer answer = type("job plan " + service("planned", 3, "one"));

        assertThat(answer.code()).as(answer.err()).isZero();
        assertThat(answer.out())
                .startsWith("GROUP  TASKS  PLACED  PENDING  MACHINES\n")
                .containsPattern("main +3 +3 +0 +hollow-00[1-4] \\(1\\), hollow-00[1-4] \\(1\\)");
        assertThat(type("job plan " + service("planned", 3, "one") + " -o json").out())
                .contains("\"job\" : \"planned\"", "\"placed\" : 3", "\"neverPlaceable\" : false");
        assertThat(type("job status planned").err()).contains("There is no job planned");
    }

    @Test
    void plan_thatFindsNoRoom_saysWhy() throws IOException {
        String file = write("large", """
                name: large
                type: batch
                groups:
                  - count: 2
                    resources: {cpuMilli: 1000000, memoryMib: 16}
                    run: {command: [echo]}
                """);

        Answer answer = type("job plan " + file);

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.out())
                .containsPattern("main +2 +0 +2 +-")
                .contains(
                        "group main: 5 machines are too small in cpuMilli; no machine of the cell could ever hold it");
    }

    @Test
    void update_scaleAndRestart_changeARunningService() throws IOException {
        assertThat(type("job run " + service("web", 2, "one") + " --wait").code())
                .isZero();

        Answer plan = type("job plan " + service("web", 2, "two"));
        assertThat(plan.code()).as(plan.err()).isZero();
        assertThat(plan.out()).contains("""
                    an update of web, which is of generation 1:
                      groups[0].run.env.RELEASE: one -> two
                    tasks that are not on a machine yet:
                    """);

        Answer updated = type("job run " + service("web", 2, "two") + " --update --wait");
        assertThat(updated.code()).as(updated.err()).isZero();
        assertThat(updated.out()).containsPattern("web +service +service +RUNNING +2 +0 +2 ");
        assertThat(attempts("web")).containsExactly("2", "2");

        Answer restarted = type("job restart web");
        assertThat(restarted.code()).as(restarted.err()).isZero();
        assertThat(restarted.err()).isEqualTo("restarted 1 of 2 tasks\nrestarted 2 of 2 tasks\n");
        assertThat(attempts("web")).containsExactly("3", "3");

        assertThat(type("job scale web 3").out()).startsWith("scaled web to 3 tasks, version ");
        await().atMost(3, TimeUnit.MINUTES)
                .untilAsserted(() ->
                        assertThat(type("job list").out()).containsPattern("web +service +service +RUNNING +3 +0 +3 "));
        assertThat(type("job scale web/main 1").code()).isZero();
        await().atMost(3, TimeUnit.MINUTES)
                .untilAsserted(() ->
                        assertThat(type("job list").out()).containsPattern("web +service +service +RUNNING +1 +0 +1 "));
        assertThat(type("job scale web 0").out()).startsWith("scaled web to 0 tasks, version ");
        await().atMost(3, TimeUnit.MINUTES)
                .untilAsserted(() ->
                        assertThat(type("status").out()).containsPattern("0 pending, 0 placed, 0 running, 0 stopping"));
    }

    /** The number that the status shows is the one that the next update is checked against. */
    @Test
    void checkVersion_isTheOneThatTheStatusShows_andAnOlderOneIsRefused() throws IOException {
        assertThat(type("job run " + service("checked", 1, "one") + " --update --check-version 0")
                        .out())
                .startsWith("submitted checked: 1 task, version ");
        String submitted = updatedVersion("checked");

        assertThat(type("job run " + service("checked", 1, "two") + " --update --check-version " + submitted)
                        .out())
                .startsWith("updated checked: 1 task, generation 2, version ");
        String updated = updatedVersion("checked");
        assertThat(type("job run " + service("checked", 1, "two") + " --update").out())
                .startsWith("unchanged checked: 1 task, generation 2, version ");
        Answer late = type("job run " + service("checked", 1, "three") + " --update --check-version " + submitted);

        assertThat(late.code()).isEqualTo(1);
        assertThat(late.err())
                .startsWith("error: JOB_CHANGED: job checked was updated at version " + updated + ", not " + submitted
                        + "\nhint:  look at it again");
        assertThat(type("job status checked -o json").out()).contains("\"updatedVersion\" : " + updated);
        assertThat(type("job stop checked").code()).isZero();
    }

    private static String updatedVersion(String job) {
        Matcher shown = Pattern.compile("(?m)^updated at version (\\d+)$")
                .matcher(type("job status " + job).out());
        assertThat(shown.find()).isTrue();
        return shown.group(1);
    }

    @Test
    void logsOfAnEarlierAttempt_areStillThere() throws IOException {
        String file = write("second", """
                name: second
                type: batch
                groups:
                  - resources: {cpuMilli: 100, memoryMib: 16}
                    constraints: [{attribute: hollow, operator: absent}]
                    restart: {attempts: 2, delay: 1ms}
                    run: {command: [sh, -c, "echo attempt $CELLA_ATTEMPT; test $CELLA_ATTEMPT -gt 1"]}
                """);
        assertThat(type("job run " + file + " --wait").code()).isZero();

        assertThat(type("job logs second/main/0").out()).isEqualTo("attempt 2\n");
        assertThat(type("job logs second/main/0 --attempt 1").out()).isEqualTo("attempt 1\n");
        assertThat(type("job logs second/main/0 --attempt 3").err())
                .isEqualTo("error: Task second/main/0 has had no attempt 3\nhint:  there were 1 to 2\n");
    }

    @Test
    void logsThatAreFollowed_goOnWithTheNextAttempt() throws IOException {
        String file = write("followed", """
                name: followed
                type: batch
                groups:
                  - resources: {cpuMilli: 100, memoryMib: 16}
                    constraints: [{attribute: hollow, operator: absent}]
                    restart: {attempts: 2, delay: 1s}
                    run: {command: [sh, -c, "echo attempt $CELLA_ATTEMPT; sleep 1; test $CELLA_ATTEMPT -gt 2"]}
                """);
        assertThat(type("job run " + file).code()).isZero();

        Answer followed = type("job logs followed --follow");
        assertThat(followed.out()).isEqualTo("attempt 1\nattempt 2\nattempt 3\n");
        assertThat(followed.err()).isEqualTo("note:  followed/main/0: attempt 2\nnote:  followed/main/0: attempt 3\n");
    }

    @Test
    void history_saysOfEachAttemptHowItFailed() throws IOException {
        String file = write("third", """
                name: third
                type: batch
                groups:
                  - resources: {cpuMilli: 100, memoryMib: 16}
                    constraints: [{attribute: hollow, operator: absent}]
                    restart: {attempts: 1, delay: 1ms}
                    run: {command: [sh, -c, "echo bad $CELLA_ATTEMPT >&2; exit 3"]}
                """);
        assertThat(type("job run " + file + " --wait").code()).isEqualTo(1);

        assertThat(type("job status third --history").out()).endsWith("""
                        third/main/0, attempt 1: exit code 3; its last error line: bad 1
                        third/main/0, attempt 2: exit code 3; its last error line: bad 2
                        """);
        assertThat(type("job status third").out()).endsWith("third/main/0: exit code 3; its last error line: bad 2\n");
    }

    @Test
    void optionThatTheSchedulerDoesNotHave_isExplained_andTheNameOfTheStoppedJobIsFree() throws IOException {
        String file = write("choosy", """
                name: choosy
                type: batch
                options: {placment: best-fit}
                groups:
                  - resources: {cpuMilli: 100, memoryMib: 16}
                    run: {command: [echo]}
                """);
        assertThat(type("job run " + file).code()).isZero();

        await().atMost(3, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(type("job explain choosy").out())
                        .contains("options.placment: no such option of scheduler type batch, did you mean placement?"));
        assertThat(type("job stop choosy").code()).isZero();

        assertThat(type("job run " + file).out()).startsWith("submitted choosy: 1 task, generation 2, version ");
        assertThat(type("job stop choosy").code()).isZero();
        assertThat(type("job run " + file + " --update").out())
                .startsWith("submitted choosy: 1 task, generation 3, version ");
        assertThat(type("job stop choosy").code()).isZero();
    }

    private static List<String> attempts(String job) {
        return type("job status " + job)
                .out()
                .lines()
                .filter(line -> line.startsWith(job + "/"))
                .map(line -> line.split("\\s+", -1)[1])
                .toList();
    }

    private static String service(String name, int count, String release) throws IOException {
        return write(name, """
                name: %s
                type: service
                groups:
                  - count: %d
                    resources: {cpuMilli: 100, memoryMib: 16}
                    constraints: [{attribute: rack, operator: exists}]
                    update: {healthyAfter: 1ms}
                    run:
                      command: [sleep, "1000"]
                      env: {RELEASE: %s, CELLA_HOLLOW_RUNTIME_MILLIS: 1000000}
                """.formatted(name, count, release));
    }

    private static String write(String name, String job) throws IOException {
        Path file = home.resolve(name + ".yaml");
        Files.writeString(file, job);
        return file.toString();
    }

    /** What a command printed and how it ended. */
    private record Answer(String out, String err, int code) {}

    private static Answer type(String words) {
        TypedCommand typed = new TypedCommand(home);
        int code = new CellaCommand(typed.terminal()).run(words.split(" ", -1));
        return new Answer(typed.out(), typed.err(), code);
    }
}
