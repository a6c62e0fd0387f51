package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One job's nine hops, seen from outside. */
class OneJobTest {
    @TempDir
    Path folder;

    @Test
    void jobSubmittedOverHttp_runsAsAProcess_andItsEndIsOnTheFeed() {
        try (RealCell cell = RealCell.start(folder)) {
            OutsideClient client = cell.client();
            long before = client.feedPlace();

            client.post("/v1/jobs", Jobs.batch("hello", 3, "/bin/echo", "this is ${index} of ${job}"));
            List<JsonNode> events = client.readFeed(before, OneJobTest::showsTheJobFinished);

            assertThat(statesOfTask(events, "hello/main/1")).containsSubsequence("PLACED", "RUNNING", "FINISHED");
            assertThat(events)
                    .extracting(event -> event.path("version").asLong())
                    .isSorted();
            JsonNode task = client.get("/v1/tasks/hello/main/1");
            assertThat(task.path("exitCode").asInt(-1)).isZero();
            assertThat(task.path("machine").asText()).isEqualTo("m-001");
            assertThat(client.text("/v1/tasks/hello/main/1:logs")).isEqualTo("this is 1 of hello\n");
            JsonNode counts = client.get("/v1/jobs/hello").path("tasks");
            assertThat(counts.path("finished").asInt()).isEqualTo(3);
        }
    }

    private static boolean showsTheJobFinished(JsonNode event) {
        return changes(event)
                .anyMatch(change -> change.path("kind").asText().equals("JOB")
                        && change.path("row").path("state").asText().equals("FINISHED"));
    }

    private static List<String> statesOfTask(List<JsonNode> events, String task) {
        return events.stream()
                .flatMap(OneJobTest::changes)
                .filter(change -> change.path("name").asText().equals(task))
                .map(change -> change.path("row").path("state").asText())
                .toList();
    }

    private static Stream<JsonNode> changes(JsonNode event) {
        return StreamSupport.stream(event.path("changes").spliterator(), false);
    }
}
