package dev.cella.cli;

import static dev.cella.cli.ScriptedCell.breaking;
import static dev.cella.cli.ScriptedCell.json;
import static dev.cella.cli.ScriptedCell.nothing;
import static dev.cella.cli.ScriptedCell.problem;
import static dev.cella.cli.ScriptedCell.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.DataStream;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that go on for long, when their connection breaks, and when nobody reads what they print. */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD) // a read of a log cannot be interrupted
class LongOutputTest extends OnAScriptedCell {
    private static final String LOG = "/v1/tasks/hello/main/0:logs";
    private static final String LOG_OF_1 = "/v1/tasks/hello/main/1:logs";

    @BeforeEach
    void finishTasks() {
        cell.answer("/v1/tasks", json("{\"tasks\": [" + task(0, "FINISHED", 1) + ", " + task(1, "FINISHED", 1) + "]}"));
        tasksAre("FINISHED");
        cell.answer("/v1/jobs/hello", json("{\"name\": \"hello\", \"type\": \"batch\", \"state\": \"FINISHED\"}"));
    }

    private void tasksAre(String state) {
        cell.answer("/v1/tasks/hello/main/0", json(task(0, state, 1)));
        cell.answer("/v1/tasks/hello/main/1", json(task(1, state, 1)));
    }

    private static String task(int index, String state, int attempt) {
        return "{\"task\": \"hello/main/%d\", \"state\": \"%s\", \"attempt\": %d}".formatted(index, state, attempt);
    }

    // ---- not followed

    @Test
    void brokenLog_isOfACellThatCannotBeReached() {
        cell.answer(LOG, breaking(Map.of(), "one\ntw"));

        assertThat(run("job", "logs", "hello/main/0")).isEqualTo(ExitCode.NO_CELL.number());
        assertThat(typed.out()).isEqualTo("one\ntw");
        assertThat(typed.err())
                .startsWith("error: no cell answers at " + cell.address()
                        + ": the connection broke while it sent the log of hello/main/0\n")
                .doesNotContain("defect");
        assertThat(cell.asked()).hasSize(1);
    }

    @Test
    void brokenLogs_ofSeveralTasks_areOfACellThatCannotBeReached() {
        cell.answer(LOG, text(Map.of(), "one\n"));
        cell.answer(LOG_OF_1, breaking(Map.of(), "two\n"));

        assertThat(run("job", "logs", "hello")).isEqualTo(ExitCode.NO_CELL.number());
        assertThat(typed.out()).isEqualTo("main/0  one\nmain/1  two\n");
        assertThat(typed.err()).contains("the log of hello/main/1").doesNotContain("defect");
    }

    // ---- followed

    @Test
    void followedLog_goesOnWhereItsConnectionBroke() {
        cell.answer(
                LOG,
                breaking(Map.of(), "one\ntw"),
                nothing(),
                problem("unavailable", 503, "the agent does not answer"),
                breaking(Map.of(), "on"),
                breaking(Map.of(), "one\ntwo\nth"),
                text(Map.of(), "one\ntwo\nthree\n"));

        assertThat(run("job", "logs", "-f", "hello/main/0")).as(typed.err()).isZero();
        assertThat(typed.out()).isEqualTo("one\ntwo\nthree\n");
        assertThat(typed.err()).isEmpty();
    }

    @Test
    void followedLogs_ofSeveralTasks_goOnWhereTheirConnectionsBroke() {
        cell.answer(LOG, breaking(Map.of(), "one\ntw"), text(Map.of(), "one\ntwo\nthree\n"));
        cell.answer(LOG_OF_1, breaking(Map.of(), "ün\nü"), text(Map.of(), "ün\nün\n"));

        assertThat(run("job", "logs", "-f", "hello")).as(typed.err()).isZero();
        assertThat(typed.out().lines())
                .containsExactlyInAnyOrder("main/0  one", "main/0  two", "main/0  three", "main/1  ün", "main/1  ün");
        assertThat(typed.err()).isEmpty();
    }

    /** Its agent had dropped the beginning before, and dropped more until it was asked again. */
    @Test
    void followedLog_whoseBeginningIsNotKept_goesOnWhereItsConnectionBroke() {
        cell.answer(LOG, breaking(dropped(100), "one\ntw"), text(dropped(104), "two\nthree\n"));

        assertThat(run("job", "logs", "-f", "hello/main/0")).as(typed.err()).isZero();
        assertThat(typed.out()).isEqualTo("one\ntwo\nthree\n");
        assertThat(typed.err().lines()).hasSize(1).first().asString().contains("the first 100 bytes are not kept");
    }

    @Test
    void followedLog_ofWhichAPartIsLost_saysSo() {
        cell.answer(LOG, breaking(Map.of(), "one\n"), text(dropped(14), "four\n"));

        assertThat(run("job", "logs", "-f", "hello/main/0")).as(typed.err()).isZero();
        assertThat(typed.out()).isEqualTo("one\nfour\n");
        assertThat(typed.err())
                .isEqualTo("note:  hello/main/0: 10 bytes that came while the cell was away are not kept\n");
    }

    private static Map<String, String> dropped(long bytes) {
        return Map.of("cella-log-dropped-bytes", Long.toString(bytes), "cella-log-limit-bytes", "1000");
    }

    @Test
    void followedTail_goesOnWhereItsConnectionBroke() {
        cell.answer(
                LOG, breaking(Map.of("cella-log-offset", "8"), "three\nfo"), text(Map.of(), "one\ntwo\nthree\nfour\n"));

        assertThat(run("job", "logs", "-f", "--tail", "1", "hello/main/0"))
                .as(typed.err())
                .isZero();
        assertThat(typed.out()).isEqualTo("three\nfour\n");
        assertThat(cell.asked()).filteredOn(asked -> asked.contains("tail=")).hasSize(1);
    }

    @Test
    void followedLog_whoseRestIsRemoved_goesOnWithTheNextAttempt() {
        cell.answer("/v1/tasks/hello/main/0", json(task(0, "RUNNING", 1)), json(task(0, "FINISHED", 2)));
        cell.answer(
                LOG,
                breaking(Map.of(), "first\n"),
                problem("gone", 410, "the output was removed"),
                text(Map.of(), "second\n"));

        assertThat(run("job", "logs", "-f", "hello/main/0")).as(typed.err()).isZero();
        assertThat(typed.out()).isEqualTo("first\nsecond\n");
        assertThat(typed.err())
                .isEqualTo("note:  hello/main/0: the output was removed\nnote:  hello/main/0: attempt 2\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"state\": \"FAILED\", \"failedForGood\": true", "\"state\": \"KILLED\", \"reason\": \"KILLED\""
            })
    void followedLog_ofATaskThatRunsNoMore_ends_alsoWhileItsJobGoesOn(String state) {
        String ended = "{\"task\": \"hello/main/0\", \"attempt\": 3, " + state + "}";
        cell.answer("/v1/jobs/hello", json("{\"name\": \"hello\", \"type\": \"batch\", \"state\": \"RUNNING\"}"));
        cell.answer(
                "/v1/tasks/hello/main/0", json(ended), json(ended), problem("bad-request", 400, "it goes on waiting"));
        cell.answer(LOG, text(Map.of(), "one\n"));

        assertThat(run("job", "logs", "-f", "hello/main/0")).as(typed.err()).isZero();
        assertThat(typed.out()).isEqualTo("one\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello/main/0", "hello"})
    void followedLog_ofACellThatStaysAway_isOfACellThatCannotBeReached(String name) {
        cell.answer(LOG, breaking(Map.of(), "one\n"), nothing());
        cell.answer(LOG_OF_1, text(Map.of(), ""));

        assertThat(new CellaCommand(typed.terminalInAHurry()).run("job", "logs", "-f", name))
                .isEqualTo(ExitCode.NO_CELL.number());
        assertThat(typed.out()).endsWith("one\n");
        assertThat(typed.err()).startsWith("error: no cell answers").doesNotContain("defect");
    }

    // ---- nobody reads

    @Test
    void followedLog_thatNobodyReads_ends_beforeItsTaskDoes() {
        tasksAre("RUNNING");
        cell.answer(LOG, cell.endless("one\n"));

        assertThat(runUnread("job", "logs", "-f", "hello/main/0")).isZero();
    }

    @Test
    void followedLog_thatNobodyReads_doesNotWaitForTheNextAttempt() {
        tasksAre("RUNNING");
        cell.answer(LOG, text(Map.of(), "one\n"));

        assertThat(runUnread("job", "logs", "-f", "hello/main/0")).isZero();
        assertThat(cell.asked()).filteredOn(asked -> !asked.contains(":logs")).hasSize(1);
    }

    @Test
    void followedLogs_thatNobodyReads_end_alsoWhereATaskPrintsNothing() {
        tasksAre("RUNNING");
        cell.answer(LOG, text(Map.of(), "one\n"));
        cell.answer(LOG_OF_1, cell.endless(""));

        assertThat(runUnread("job", "logs", "-f", "hello")).isZero();
    }

    @Test
    void logs_thatNobodyReads_endWithoutThoseOfTheOtherTasks() {
        cell.answer(LOG, cell.endless("one\n".repeat(1_000)));

        assertThat(runUnread("job", "logs", "hello")).isZero();
        assertThat(cell.asked()).noneMatch(asked -> asked.startsWith(LOG_OF_1));
    }

    @Test
    void top_thatNobodyReads_ends() {
        assertThat(runUnread("top", "--every", "100ms")).isZero();
    }

    @Test
    void top_outlivesACellThatIsAwayForAWhile() {
        cell.answer("/v1/cell", json("{}"), problem("unavailable", 503, "it restarts"), json("{}"));

        assertThat(run("top", "--every", "100ms", "--times", "3"))
                .as(typed.err())
                .isZero();
        assertThat(typed.err()).isEqualTo("note:  it restarts; asking again\n");
    }

    @Test
    void outputThatAFullDiskDoesNotTake_isAFailure() {
        Terminal whole = typed.terminal();
        Terminal full = new Terminal(
                new DataStream(failing("No space left on device")), whole.err(), whole.in(), whole.environment());

        assertThat(new CellaCommand(full).run("completion", "bash")).isEqualTo(ExitCode.FAILED.number());
        assertThat(typed.err()).isEqualTo("error: the output could not be written: No space left on device\n");
    }

    private static OutputStream failing(String why) {
        return new OutputStream() {
            @Override
            public void write(int next) throws IOException {
                throw new IOException(why);
            }
        };
    }

    /** As with {@code | head}, once it has read enough. */
    private int runUnread(String... arguments) {
        return new CellaCommand(typed.terminal().withOutput(failing("Broken pipe"))).run(arguments);
    }
}
