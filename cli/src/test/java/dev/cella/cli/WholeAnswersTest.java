package dev.cella.cli;

import static dev.cella.cli.ScriptedCell.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code -o json} has what was asked for, as the table has. */
class WholeAnswersTest extends OnAScriptedCell {
    private static final String FAILED = "{\"task\": \"web/main/1\", \"state\": \"FAILED\", \"attempt\": 2}";
    private static final String PENDING = "{\"task\": \"web/main/0\", \"state\": \"PENDING\", \"attempt\": 1}";

    @BeforeEach
    void answerAJob() {
        cell.answer("/v1/jobs/web", json("{\"name\": \"web\", \"state\": \"RUNNING\", \"submittedVersion\": 10}"));
    }

    private JsonNode printed(String... arguments) throws IOException {
        assertThat(run(arguments)).as(typed.err()).isZero();
        return new ObjectMapper().readTree(typed.out());
    }

    @Test
    void jobStatus_ofAState_hasTheTasks() throws IOException {
        cell.answer("/v1/tasks", json("{\"tasks\": [" + FAILED + "]}"));

        JsonNode answer = printed("job", "status", "web", "--state", "failed", "-o", "json");

        assertThat(answer.at("/job/state").asText()).isEqualTo("RUNNING");
        assertThat(answer.at("/tasks/0/task").asText()).isEqualTo("web/main/1");
        assertThat(cell.asked()).last().asString().contains("state=FAILED");
    }

    @Test
    void jobStatus_ofAllTasks_hasThoseOfEachPage() throws IOException {
        cell.answer(
                "/v1/tasks",
                json("{\"tasks\": [" + PENDING + "], \"nextPageToken\": \"1\"}"),
                json("{\"tasks\": [" + FAILED + "]}"));

        assertThat(printed("job", "status", "web", "--all", "-o", "json").at("/tasks"))
                .hasSize(2);
    }

    @Test
    void jobStatus_isTheJobAlone_ifNoTasksAreAskedFor() throws IOException {
        assertThat(printed("job", "status", "web", "-o", "json").at("/name").asText())
                .isEqualTo("web");
    }

    @Test
    void jobStatus_withItsHistory_hasEachAttempt() throws IOException {
        cell.answer("/v1/timeline", json("""
                {"keptFromVersion": 5, "steps": [
                 {"task": "web/main/1", "attempt": 1, "step": "PLACED", "version": 11, "machine": "m-1",
                  "at": "2026-01-01T00:00:01Z"},
                 {"task": "web/main/1", "attempt": 1, "step": "LOST", "version": 12,
                  "at": "2026-01-01T00:00:02Z"}]}"""));
        cell.answer("/v1/tasks", json("{\"tasks\": [" + FAILED + "]}"));

        JsonNode answer = printed("job", "status", "web", "--history", "-o", "json");

        assertThat(answer.at("/job/name").asText()).isEqualTo("web");
        assertThat(answer.at("/attempts/0")).hasToString("""
                {"task":"web/main/1","attempt":1,"state":"LOST","machine":"m-1","endedAt":"2026-01-01T00:00:02Z"}""");
        assertThat(answer.at("/attempts/1/state").asText()).isEqualTo("FAILED");
        assertThat(answer.at("/whole").asBoolean()).isTrue();
    }

    @Test
    void revokedToken_isNamedWithTheVersion() throws IOException {
        cell.answer("/v1/tokens/alice", json("{\"name\": \"alice\", \"version\": 12}"));

        assertThat(printed("token", "revoke", "alice", "-o", "json")).hasToString("""
                {"name":"alice","version":12}""");
    }

    @Test
    void drainPreview_hasWhereEachTaskFindsRoom() throws IOException {
        cell.answer("/v1/machines/m-1", json("{\"name\": \"m-1\", \"tasks\": [\"web/main/0\"]}"));
        cell.answer("/v1/machines", json("{\"machines\": [{\"name\": \"m-2\", \"status\": \"READY\"}]}"));
        cell.answer("/v1/tasks", json("{\"tasks\": [" + PENDING + "]}"));

        JsonNode answer = printed("machine", "drain", "m-1", "--preview", "-o", "json");

        assertThat(answer.at("/machine/name").asText()).isEqualTo("m-1");
        assertThat(answer.at("/moves")).hasToString("""
                [{"task":"web/main/0","machine":"m-2"}]""");
    }

    @Test
    void explanationOfATask_hasTheTask() throws IOException {
        cell.answer("/v1/jobs/web:explain", json("""
                {"job": "web", "summary": "no room", "groups": [{"group": "main", "pending": 1}]}"""));
        cell.answer("/v1/tasks/web/main/0", json(PENDING));

        JsonNode answer = printed("job", "explain", "web/main/0", "-o", "json");

        assertThat(answer.at("/task/state").asText()).isEqualTo("PENDING");
        assertThat(answer.at("/explanation/summary").asText()).isEqualTo("no room");
    }

    @Test
    void explanationOfATaskThatDoesNotWait_isItsRow() throws IOException {
        cell.answer("/v1/jobs/web:explain", json("{\"job\": \"web\", \"groups\": [{\"group\": \"main\"}]}"));
        cell.answer("/v1/tasks/web/main/1", json(FAILED));

        JsonNode answer = printed("job", "explain", "web/main/1", "-o", "json");

        assertThat(answer.at("/task/attempt").asInt()).isEqualTo(2);
        assertThat(answer.has("explanation")).isFalse();
    }
}
