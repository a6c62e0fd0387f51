package dev.cella.cli;

import static dev.cella.cli.ScriptedCell.json;
import static dev.cella.cli.ScriptedCell.nothing;
import static dev.cella.cli.ScriptedCell.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that go on for long, while the servers of their cell restart. */
@Timeout(300)
class RestartingCellTest extends OnAScriptedCell {
    private static final ScriptedCell.Answer SUBMITTED =
            json("{\"name\": \"web\", \"generation\": 1, \"version\": 20}");
    private static final ScriptedCell.Answer AWAY = problem("unavailable", 503, "it restarts");

    @Test
    void restart_goesOn_alsoWhereATaskIsGone() {
        cell.answer("/v1/jobs/web", json("{\"name\": \"web\", \"type\": \"service\", \"state\": \"RUNNING\"}"));
        cell.answer("/v1/tasks", json("{\"tasks\": [" + task(0, 1) + ", " + task(1, 1) + "]}"));
        cell.answer("/v1/transactions", nothing(), AWAY, json("{\"results\": [{\"accepted\": true}]}"));
        cell.answer("/v1/tasks/web/main/0", nothing(), json(task(0, 1)), AWAY, json(task(0, 2)));
        cell.answer("/v1/tasks/web/main/1", problem("not-found", 404, "there is no such task"));

        assertThat(run("job", "restart", "web")).as(typed.err()).isZero();
        assertThat(typed.err()).isEqualTo("restarted 1 of 2 tasks\nrestarted 2 of 2 tasks\n");
    }

    private static String task(int index, int attempt) {
        return "{\"task\": \"web/main/%d\", \"state\": \"RUNNING\", \"attempt\": %d}".formatted(index, attempt);
    }

    @Test
    void wait_saysWhichTaskFailed() throws IOException {
        cell.answer("/v1/jobs", SUBMITTED);
        cell.answer("/v1/jobs/web", json("{\"name\": \"web\", \"type\": \"batch\", \"state\": \"FAILED\"}"));
        cell.answer("/v1/tasks", AWAY, json("""
                {"tasks": [{"task": "web/main/0", "state": "FAILED", "attempt": 1, "exitCode": 3}]}"""));

        assertThat(run("job", "run", file(), "--wait")).isEqualTo(1);
        assertThat(typed.err()).contains("error: task web/main/0 failed for good with exit code 3, at attempt 1\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"table | submitted web: 1 task, version 20", "name | web"})
    void run_isDone_whenTheCellHasTheJob(String format, String printed) throws IOException {
        cell.answer("/v1/jobs", SUBMITTED);
        cell.answer("/v1/jobs/web", AWAY);

        assertThat(run("job", "run", file(), "-o", format)).isZero();
        assertThat(typed.out()).isEqualTo(printed + "\n");
        assertThat(typed.err()).contains("note:  the cell has the job, but did not say what it changed: it restarts\n");
    }

    private String file() throws IOException {
        return Files.writeString(home.resolve("web.yaml"), """
                        name: web
                        type: batch
                        groups:
                          - resources: {cpuMilli: 100, memoryMib: 16}
                            run: {command: [work]}
                        """).toString();
    }
}
