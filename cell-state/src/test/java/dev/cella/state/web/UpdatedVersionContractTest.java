package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The features based on the version of a job's last update: an update that requires that version, and claims with an older
 * basis.
 */
class UpdatedVersionContractTest {
    private static final int AT_ONCE = 8;

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    /** A cell at the newest level, not raised since it was founded. */
    @RegisterExtension
    static final RunningCell FRESH = new RunningCell();

    /**
     * The first version to check raises the cell's feature level. Nothing else does that here, so this tests it, too.
     */
    @BeforeAll
    static void raise() {
        CELL.keepVersionsOfUpdates();
    }

    private static Reply put(String name, int count, long checkVersion) {
        return CELL.put("/v1/jobs/" + name + "?checkVersion=" + checkVersion, RunningCell.job(name, count));
    }

    private static long updatedVersion(String name) {
        return CELL.get("/v1/jobs/" + name).json().get("updatedVersion").asLong();
    }

    @Test
    void put_ofTheVersionOfTheLastUpdate_isDone_ofAnotherIsAConflict() {
        Reply created = put("web", 1, 0);
        assertThat(created.status()).isEqualTo(201);
        assertThat(updatedVersion("web")).isEqualTo(created.version());
        CELL.post("/v1/jobs/web:scale", "{\"count\": 5}");
        assertThat(updatedVersion("web")).isEqualTo(created.version());

        Reply updated = put("web", 2, created.version());
        assertThat(updated.json().get("generation").asInt()).isEqualTo(2);
        assertThat(updatedVersion("web")).isEqualTo(updated.version());

        JsonNode late = put("web", 3, created.version()).problem(409, "conflict");
        assertThat(late.get("detail").asText())
                .contains("job web was updated at version " + updated.version() + ", not " + created.version());
        assertThat(late.get("hint").asText()).contains("look at it again", "decide again");
        put("web", 3, 0).problem(409, "conflict");
        assertThat(CELL.get("/v1/jobs/web").json().get("generation").asInt()).isEqualTo(2);
    }

    /** A client without an answer repeats its request. */
    @Test
    void put_thatWasDoneAlready_isTheSameAgain() {
        long created = put("twice", 1, 0).version();
        assertThat(put("twice", 1, 0).status()).isEqualTo(200);
        put("twice", 2, created);

        Reply again = put("twice", 2, created);

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("generation").asInt()).isEqualTo(2);
    }

    @Test
    void put_ofManyAtOnce_oneIsDone() {
        long created = put("raced", 1, 0).version();

        List<CompletableFuture<Reply>> asked = IntStream.range(0, AT_ONCE)
                .mapToObj(one -> CompletableFuture.supplyAsync(() -> put("raced", 2 + one, created)))
                .toList();

        assertThat(asked.stream().map(reply -> reply.join().status())).containsOnlyOnce(200);
        assertThat(CELL.get("/v1/jobs/raced").json().get("generation").asInt()).isEqualTo(2);
    }

    @Test
    void put_ofAnEndedJob_isOfItsVersion() {
        long created = put("ended", 1, 0).version();
        CELL.delete("/v1/jobs/ended");

        put("ended", 1, 0).problem(409, "conflict");
        assertThat(put("ended", 1, created).status()).isEqualTo(201);
    }

    @Test
    void put_dryRun_isRefusedLikeTheUpdate() {
        long created = put("dry", 1, 0).version();

        assertThat(CELL.put("/v1/jobs/dry?dryRun=true&checkVersion=" + created, RunningCell.job("dry", 2))
                        .json()
                        .at("/plan/effect")
                        .asText())
                .isEqualTo("CHANGED");
        CELL.put("/v1/jobs/dry?dryRun=true&checkVersion=1", RunningCell.job("dry", 2))
                .problem(409, "conflict");
        assertThat(CELL.put("/v1/jobs/dry?checkVersion=-1", RunningCell.job("dry", 2))
                        .fault("checkVersion"))
                .contains("negative");
        assertThat(CELL.post("/v1/jobs?checkVersion=1", RunningCell.job("dry", 2))
                        .fault("checkVersion"))
                .contains("PUT");
    }

    /** The stored specification has no trace of the version to check. */
    @Test
    void put_ofAVersion_isNoPartOfTheJob() {
        long created = put("plain", 1, 0).version();

        assertThat(CELL.get("/v1/jobs/plain").json().get("specification").has("checkVersion"))
                .isFalse();
        assertThat(CELL.submit("plain", 1).status()).isEqualTo(200);
        assertThat(updatedVersion("plain")).isEqualTo(created);
    }

    @Test
    void commit_basisOfBeforeTheLastUpdate_isAChangedTask() {
        CELL.putMachine("m-basis", 4000, 8192);
        long created = put("planned", 1, 0).version();
        long updated = put("planned", 2, created).version();

        assertThat(claim("planned-1", 0, created)).isEqualTo("TASK_CHANGED");
        assertThat(claim("planned-2", 0, updated)).isEqualTo("COMMITTED");
        assertThat(claim("planned-3", 1, updated - 1)).isEqualTo("TASK_CHANGED");
        assertThat(claim("planned-3", 1, updated - 1)).isEqualTo("TASK_CHANGED");
    }

    /** The first generation of a job always matches, whenever it came. */
    @Test
    void commit_basisOfBeforeTheJob_isForItsFirstGeneration() {
        CELL.putMachine("m-basis", 4000, 8192);
        long before = CELL.get("/v1/cell").version();
        put("early", 1, 0);

        assertThat(claim(CELL, "early-1", "early/main/0", before)).isEqualTo("COMMITTED");
    }

    /** A new cell stores the version from the first submission on. */
    @Test
    void update_isKnownFromTheFirstOne() {
        FRESH.putMachine("m-basis", 4000, 8192);
        long created = FRESH.submit("updated", 1).version();
        assertThat(FRESH.get("/v1/jobs/updated").json().get("updatedVersion").asLong())
                .isEqualTo(created);

        Reply updated = FRESH.put("/v1/jobs/updated", RunningCell.job("updated", 2));

        assertThat(FRESH.get("/v1/jobs/updated").json().get("updatedVersion").asLong())
                .isEqualTo(updated.version());
        assertThat(claim(FRESH, "updated-1", "updated/main/0", created)).isEqualTo("TASK_CHANGED");
        assertThat(claim(FRESH, "updated-2", "updated/main/0", updated.version()))
                .isEqualTo("COMMITTED");
    }

    private static String claim(String id, int index, long basis) {
        return claim(CELL, id, "planned/main/" + index, basis);
    }

    /** The reason of its one claim, or its result. */
    private static String claim(RunningCell cell, String id, String task, long basis) {
        JsonNode outcome =
                cell.post("/v1/transactions", """
                {"id": "%s", "scheduler": "batch", "basis": %d, "claims": [{"task": "%s", "machine": "m-basis"}]}""".formatted(id, basis, task)).json();
        return outcome.at("/results/0/reason").asText(outcome.get("outcome").asText());
    }
}
