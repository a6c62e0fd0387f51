package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.ReplicaOptions;
import dev.cella.transactions.codec.EntryCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LevelContractTest {
    private static final int NEWEST = EntryCodec.FEATURE_LEVEL_MAX;

    @RegisterExtension
    static final RunningCell CELL = new RunningCell(ReplicaOptions.defaults().withFoundingLevel(2));

    @Test
    void level_isShownAndRaised_andNeverLowered() {
        JsonNode before = CELL.get("/v1/level").json();
        assertThat(before.get("level").asInt()).isEqualTo(2);
        assertThat(before.get("replicas")).hasSize(1);
        assertThat(before.get("replicas").get(0).get("knows").asInt()).isEqualTo(NEWEST);

        assertThat(CELL.post("/v1/level", "{\"level\": 3}").json().get("level").asInt())
                .isEqualTo(3);
        assertThat(CELL.post("/v1/level", "{\"level\": 3}").json().get("level").asInt())
                .isEqualTo(3);
        assertThat(CELL.post("/v1/level", "{\"level\": 2}")
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("level 3", "nothing lowers it");
        assertThat(CELL.post("/v1/level", "{\"level\": " + (NEWEST + 1) + "}")
                        .problem(400, "bad-request")
                        .get("detail")
                        .asText())
                .contains("newest", String.valueOf(NEWEST));
        CELL.post("/v1/level", "{}").fault("level");
        assertThat(CELL.get("/v1/level").json().get("level").asInt()).isEqualTo(3);
    }
}
