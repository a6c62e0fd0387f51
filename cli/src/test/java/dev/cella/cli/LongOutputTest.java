package dev.cella.cli;

import static dev.cella.cli.ScriptedCell.json;
import static dev.cella.cli.ScriptedCell.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** Commands that go on for long, when nobody reads what they print. */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD) // a read of a log cannot be interrupted
class LongOutputTest {
    private static final String LOG = "/v1/tasks/hello/main/0:logs";
    private static final String LOG_OF_1 = "/v1/tasks/hello/main/1:logs";

    @TempDir
    Path home;

    private ScriptedCell cell;
    private TypedCommand typed;

    @BeforeEach
    void startCell() throws IOException {
        cell = new ScriptedCell();
        typed = new TypedCommand(home, home, Map.of("CELLA_ADDRESS", cell.address()));
        cell.answer("/v1/tasks", json("{\"tasks\": [" + task(0, "FINISHED", 1) + ", " + task(1, "FINISHED", 1) + "]}"));
        tasksAre("FINISHED");
        cell.answer("/v1/jobs/hello", json("{\"name\": \"hello\", \"type\": \"batch\", \"state\": \"FINISHED\"}"));
    }

    @AfterEach
    void stopCell() {
        cell.close();
    }

    private void tasksAre(String state) {
        cell.answer("/v1/tasks/hello/main/0", json(task(0, state, 1)));
        cell.answer("/v1/tasks/hello/main/1", json(task(1, state, 1)));
    }

    private static String task(int index, String state, int attempt) {
        return "{\"task\": \"hello/main/%d\", \"state\": \"%s\", \"attempt\": %d}".formatted(index, state, attempt);
    }

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
    void top_thatNobodyReads_ends() {
        assertThat(runUnread("top", "--every", "100ms")).isZero();
    }

    /** As with {@code | head}, once it has read enough. */
    private int runUnread(String... arguments) {
        OutputStream pipe = new OutputStream() {
            @Override
            public void write(int next) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        return new CellaCommand(typed.terminal().withOutput(pipe)).run(arguments);
    }
}
