package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Copies of tasks over HTTP: the step COPY, what rows show of the copy, and how the first to finish ends the other. */
class CopyContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static void cell(String machine, String job) {
        CELL.put("/v1/machines/" + machine, "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4000}}");
        CELL.post("/v1/jobs", """
                {"name": "%s", "type": "batch", "scheduler": "%1$s", "groups": [{"count": 2, "resources":
                 {"cpuMilli": 1000, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                """.formatted(job));
    }

    private static JsonNode claim(String id, String job, String task, String machine) {
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "%s", "claims": [{"task": "%2$s/%s", "machine": "%s"}]}
                """.formatted(id, job, task, machine))
                .json();
    }

    private static JsonNode copy(String id, String job, int index) {
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "%s", "steps": [{"task": "%2$s/main/%d", "step": "COPY", "attempt": 1}]}
                """.formatted(id, job, index)).json();
    }

    private static JsonNode task(String name) {
        var answer = CELL.get("/v1/tasks/" + name);
        assertThat(answer.status()).as(() -> answer.json().toString()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void copyOfATask_isATaskOfItsOwnGroup_andHasOneAtATime() {
        cell("c1", "sort");
        claim("s1", "sort", "main/0", "c1");

        assertThat(copy("s2", "sort", 0).get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(task("sort/main~copies/0").get("state").asText()).isEqualTo("PENDING");
        assertThat(claim("s3", "sort", "main~copies/0", "c1").get("outcome").asText())
                .isEqualTo("COMMITTED");
        assertThat(task("sort/main~copies/0").get("state").asText()).isEqualTo("PLACED");
        assertThat(copy("s4", "sort", 0).at("/results/0/reason").asText()).isEqualTo("ILLEGAL_STEP");
        assertThat(copy("s5", "sort", 1).at("/results/0/reason").asText())
                .as("it was never placed")
                .isEqualTo("TASK_CHANGED");
        assertThat(CELL.get("/v1/jobs/sort:explain").status()).isEqualTo(200);
    }

    @Test
    void jobWithCopies_submittedAgain_isUnchanged() {
        cell("c2", "same");
        claim("a1", "same", "main/0", "c2");
        copy("a2", "same", 0);

        assertThat(CELL.post("/v1/jobs", """
                        {"name": "same", "type": "batch", "scheduler": "same", "groups": [{"count": 2, "resources":
                         {"cpuMilli": 1000, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                        """).json().get("generation").asInt()).isEqualTo(1);
        assertThat(task("same/main~copies/0").get("state").asText()).isEqualTo("PENDING");
    }

    @Test
    void nameWithATilde_isNoNameOfAGroup() {
        assertThat(CELL.post("/v1/jobs", """
                        {"name": "tilde", "type": "batch", "groups": [{"name": "main~copies", "count": 1, "resources":
                         {"cpuMilli": 1000, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                        """).status()).isEqualTo(400);
    }
}
