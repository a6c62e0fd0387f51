package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.ReplicaOptions;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.web.RunningCell.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server with room for 2 MiB of specifications. */
class SpecificationRoomTest {
    private static final int LARGE = 900 << 10;
    private static final int SMALL = 1 << 10;

    @RegisterExtension
    static final RunningCell CELL = new RunningCell(
            ReplicaOptions.defaults().withLimits(ReplicaLimits.defaults().withSpecificationBytesMax(2 << 20)));

    @Test
    void jobWithoutRoom_isRefused_untilThereIsRoom() {
        assertThat(submit("first", LARGE).status()).isEqualTo(201);
        assertThat(submit("second", LARGE).status()).isEqualTo(201);

        Reply third = submit("third", LARGE);

        assertThat(third.problem(503, "overloaded").get("detail").asText())
                .contains("1.8 MiB", "room for 2.0 MiB", "adds 0.9 MiB");
        assertThat(third.header("retry-after")).isEqualTo("60");
        assertThat(CELL.get("/v1/jobs/third").status()).isEqualTo(404);
        put("/v1/jobs/third?dryRun=true", "third", LARGE).problem(503, "overloaded");
        assertThat(submit("first", LARGE).status()).isEqualTo(200);
        assertThat(submit("small", SMALL).status()).isEqualTo(201);
        assertThat(put("/v1/jobs/second", "second", SMALL).status()).isEqualTo(200);
        assertThat(submit("third", LARGE).status()).isEqualTo(201);
        put("/v1/jobs/second", "second", LARGE).problem(503, "overloaded");
        assertThat(CELL.get("/metrics").body())
                .contains("cella_specification_max_bytes 2097152.0")
                .containsPattern("cella_specification_bytes 18\\d{5}\\.0|cella_specification_bytes 1\\.8\\d*E6");
    }

    private static Reply submit(String name, int bytes) {
        return CELL.post("/v1/jobs", job(name, bytes));
    }

    private static Reply put(String path, String name, int bytes) {
        return CELL.put(path, job(name, bytes));
    }

    /** The bytes are in a variable of its tasks, each value of which has at most 4 KiB. */
    private static String job(String name, int bytes) {
        StringBuilder env = new StringBuilder();
        for (int variable = 0; variable < bytes / SMALL; variable++) {
            env.append(env.length() == 0 ? "" : ",").append("\"V%d\":\"%s\"".formatted(variable, "x".repeat(1_010)));
        }
        return """
                {"name": "%s", "type": "batch", "groups": [{"resources": {"cpuMilli": 500, "memoryMib": 64},
                  "run": {"command": ["/bin/true"], "env": {%s}}}]}""".formatted(name, env);
    }
}
