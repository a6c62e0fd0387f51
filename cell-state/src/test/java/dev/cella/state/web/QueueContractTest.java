package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queue rows over HTTP (SURFACE 8.2): claims of kind QUEUE and START, and what machines and tasks show of them. */
class QueueContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static void machine(String name) {
        CELL.put("/v1/machines/" + name, "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4000}}");
    }

    private static void job(String name, int cpuMilli) {
        CELL.post("/v1/jobs", """
                {"name": "%s", "type": "batch", "scheduler": "sampler", "groups": [{"count": 9, "resources":
                 {"cpuMilli": %d, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                """.formatted(name, cpuMilli));
    }

    private static JsonNode claim(String id, String kind, String task, String... machines) {
        List<String> claims = new ArrayList<>();
        for (String machine : machines) {
            claims.add("{\"task\": \"%s\", \"machine\": \"%s\", \"kind\": \"%s\"}".formatted(task, machine, kind));
        }
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "sampler", "claims": [%s]}
                """.formatted(id, String.join(", ", claims)))
                .json();
    }

    private static String reason(JsonNode decided, int place) {
        return decided.get("results").get(place).get("reason").asText();
    }

    @Test
    void queuedTask_isShownByItsMachinesAndStartsOnce() {
        machine("q1");
        machine("q2");
        job("bag", 1_000);

        assertThat(claim("c1", "QUEUE", "bag/main/0", "q1", "q2").get("outcome").asText())
                .isEqualTo("COMMITTED");
        JsonNode machine = CELL.get("/v1/machines/q1").json();
        assertThat(machine.get("queued").asLong()).isEqualTo(1);
        assertThat(machine.get("queue").get(0).asText()).isEqualTo("bag/main/0");
        assertThat(machine.get("free").get("cpuMilli").asLong()).isEqualTo(4_000);
        JsonNode task = CELL.get("/v1/tasks/bag/main/0").json();
        assertThat(task.get("state").asText()).isEqualTo("PENDING");
        assertThat(task.get("queuedOn").get(1).asText()).isEqualTo("q2");

        assertThat(claim("c2", "start", "bag/main/0", "q2").get("outcome").asText())
                .isEqualTo("COMMITTED");
        assertThat(CELL.get("/v1/machines/q1").json().has("queued")).isFalse();
        assertThat(CELL.get("/v1/tasks/bag/main/0").json().get("machine").asText())
                .isEqualTo("q2");
        assertThat(reason(claim("c3", "START", "bag/main/0", "q1"), 0)).isEqualTo("TASK_NOT_PENDING");
    }

    @Test
    void queue_onAMachineThatIsDrained_isRefusedAndTheQueueIsGone() {
        machine("drained");
        job("waits", 1_000);
        claim("d1", "QUEUE", "waits/main/0", "drained");

        CELL.post("/v1/machines/drained:drain", "{\"tasks\": \"keep\"}");

        assertThat(CELL.get("/v1/machines/drained").json().has("queued")).isFalse();
        assertThat(CELL.get("/v1/tasks/waits/main/0").json().get("state").asText())
                .isEqualTo("PENDING");
        assertThat(reason(claim("d2", "QUEUE", "waits/main/0", "drained"), 0)).isEqualTo("MACHINE_NOT_READY");
    }

    @Test
    void queue_inMoreThanEightQueues_refusesTheNinth() {
        String[] machines = new String[9];
        for (int at = 0; at < machines.length; at++) {
            machines[at] = "many" + at;
            machine(machines[at]);
        }
        job("many", 1_000);

        JsonNode decided = claim("m1", "QUEUE", "many/main/0", machines);

        assertThat(decided.get("outcome").asText()).isEqualTo("PARTIAL");
        assertThat(reason(decided, 8)).isEqualTo("TOO_MANY_ROWS");
    }

    @Test
    void explain_ofTasksInQueues_namesTheQueuesAndWhatTheirHeadsWaitFor() {
        machine("stands");
        machine("moves");
        job("runs", 3_000);
        job("others", 2_000);
        CELL.post("/v1/jobs", """
                {"name": "queued", "type": "batch", "scheduler": "sampler", "groups": [{"count": 2, "resources":
                 {"cpuMilli": 500, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                """);
        claim("e1", "PLACE", "runs/main/0", "stands");
        claim("e2", "QUEUE", "others/main/0", "stands");
        claim("e3", "QUEUE", "queued/main/0", "stands", "moves");

        JsonNode one = CELL.get("/v1/jobs/queued:explain").json();
        assertThat(one.at("/groups/0/queued").asLong()).isEqualTo(1);
        assertThat(one.at("/groups/0/queues/0/machine").asText())
                .as("the shortest queue first")
                .isEqualTo("moves");
        assertThat(one.at("/groups/0/queues/0").has("headLacks")).isFalse();
        assertThat(one.at("/groups/0/queues/1/before").asLong()).isEqualTo(1);
        assertThat(one.at("/groups/0/queues/1/head").asText()).isEqualTo("others/main/0");
        assertThat(one.at("/groups/0/queues/1/headLacks").asText()).isEqualTo("cpuMilli");
        assertThat(one.get("summary").asText()).as("one task is in no queue").contains("is not planned");

        claim("e4", "QUEUE", "queued/main/1", "stands");
        assertThat(CELL.get("/v1/jobs/queued:explain").json().get("summary").asText())
                .isEqualTo("2 tasks of queued pending: each waits in the queues of machines, on moves first");
        claim("e5", "START", "queued/main/0", "moves");
        assertThat(CELL.get("/v1/jobs/queued:explain").json().get("summary").asText())
                .isEqualTo("1 task of queued pending: each waits in the queues of machines, on stands behind 1 task of"
                        + " others; its head, others/main/0, waits for cpuMilli");
    }

    @Test
    void claim_ofAnUnknownKind_isRefusedWithTheNearestKind() {
        machine("kinds");
        job("kinds", 1_000);

        JsonNode problem = claim("k1", "QUEU", "kinds/main/0", "kinds");

        assertThat(problem.get("errors").get(0).get("path").asText()).isEqualTo("claims[0].kind");
        assertThat(problem.get("errors").get(0).get("message").asText()).contains("QUEUE");
    }

    @Test
    void start_ofATaskThatDoesNotWaitThere_isNotQueued() {
        machine("empty");
        job("nowhere", 1_000);

        assertThat(reason(claim("n1", "START", "nowhere/main/0", "empty"), 0)).isEqualTo("NOT_QUEUED");
        assertThat(reason(claim("n2", "QUEUE", "nowhere/main/99", "empty"), 0)).isEqualTo("UNKNOWN_TASK");
    }
}
