package dev.cella.cli;

import static dev.cella.cli.ScriptedCell.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The wait for an update ends when its tasks have run for {@code healthyAfter}, although they have no check. */
@Timeout(300)
class UpdateWaitTest extends OnAScriptedCell {
    private static final String WEB = "/v1/jobs/web";

    /** The last task has just started. */
    private static final String STARTED = """
            {"name": "web", "type": "service", "state": "RUNNING", "generation": 2, "submittedVersion": 10,
             "updatedVersion": 20, "changedVersion": 30, "attempts": 2, "tasks": {"running": 1}, "outdated": 0,
             "groups": [{"name": "main", "count": 1}],
             "specification": {"groups": [{"name": "main", "update": {"healthyAfter": "1m"}}]}%s}""";

    private String file = "";

    @BeforeEach
    void writeFile() throws IOException {
        file = Files.writeString(home.resolve("web.yaml"), """
                name: web
                type: service
                groups:
                  - resources: {cpuMilli: 100, memoryMib: 16}
                    update: {healthyAfter: 1m}
                    run: {command: [serve]}
                """).toString();
    }

    @Test
    void update_thatIsRevertedAfterTheLastTaskHasStarted_failed() {
        cell.answer(
                WEB,
                json("{\"name\": \"web\", \"generation\": 2, \"version\": 20}"),
                json(STARTED.formatted("")),
                json(STARTED.replace("\"generation\": 2", "\"generation\": 3").formatted(", \"revertedTo\": 1")));

        assertThat(run("job", "run", file, "--update", "--wait")).isEqualTo(1);
        assertThat(typed.err()).contains("error: generation 2 of web was reverted: it is generation 1 again\n");
    }

    @Test
    void update_whoseTasksHaveRunForLongEnough_isDone() {
        cell.answer(WEB, json("{\"name\": \"web\", \"generation\": 2, \"version\": 20}"), json(STARTED.formatted("")));

        assertThat(new CellaCommand(typed.terminalInAHurry()).run("job", "run", file, "--update", "--wait"))
                .as(typed.err())
                .isZero();
        assertThat(cell.asked()).anyMatch(asked -> asked.startsWith(WEB + "?changedAfter=30"));
    }

    @Test
    void jobThatIsNotUpdated_isDoneWhenItRuns() {
        cell.answer(WEB, json("{\"name\": \"web\", \"generation\": 2, \"version\": 40}"), json(STARTED.formatted("")));

        assertThat(run("job", "run", file, "--update", "--wait"))
                .as(typed.err())
                .isZero();
        assertThat(cell.asked()).noneMatch(asked -> asked.contains("changedAfter"));
    }
}
