package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a cell says about the cells that its schedulers plan on, from their reports and its own machines. */
class FederationContractTest {
    private static final String FOR_AN_HOUR = "{\"type\": \"megha\", \"lease\": \"1h\"}";

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private final List<String> made = new ArrayList<>();

    @AfterEach
    void leaveNothing() {
        made.forEach(path -> assertThat(CELL.delete(path).status()).as(path).isEqualTo(200));
    }

    @Test
    void aCellThatPlansAlone_isInNoFederation() {
        Reply alone = CELL.get("/v1/federation");
        assertThat(alone.json().get("cells")).isEmpty();
        assertThat(alone.version()).isPositive();
    }

    @Test
    void cells_areOfTheReportsAndTheMachines_andSayWhatIsMissing() {
        gateway("cell-north", "north", "a1");
        gateway("cell-lonely", "lonely", "a2");
        gateway("cell-late", "late", "a4");
        gateway("cell-drained", "drained", "a5");
        CELL.post("/v1/machines/cell-drained:drain", "{}");
        String home = CELL.get("/v1/cell").json().get("incarnation").asText();
        String cells = String.join(
                ",",
                planned("home", home, 7, 100, 3, 0),
                planned("north", "a1", 40, 1_500, 5, 2),
                planned("bare", "a3", 9, 100, 0, 0),
                planned("drained", "a5", 9, 100, 0, 0),
                "{\"addresses\": [\"http://10.0.0.9:7070\"]}",
                planned("late", "a4", 30, 60_000, 1, 0).replace("\"planning\": true", "\"planning\": false"));
        report("one", cells);

        JsonNode shown = CELL.get("/v1/federation").json().get("cells");
        assertThat(shown.findValuesAsText("name"))
                .as("the home first, the others by name")
                .containsExactly("cell", "", "bare", "drained", "late", "lonely", "north");
        assertThat(shown.findValuesAsText("state"))
                .containsExactly("HOME", "AWAY", "NOT_OFFERED", "DRAINING", "AWAY", "NOT_PLANNED", "READY");
        JsonNode north = shown.get(6);
        assertThat(north.get("machine").asText()).isEqualTo("cell-north");
        assertThat(north.get("incarnation").asText()).isEqualTo("a1");
        assertThat(north.get("version").asLong()).isEqualTo(40);
        assertThat(north.get("lagSeconds").asDouble()).isBetween(1.5, 30.0);
        assertThat(north.at("/machines/ready").asLong()).isEqualTo(2);
        assertThat(north.at("/tasks/running").asLong()).isEqualTo(4);
        assertThat(north.at("/claims/inconsistent").asLong()).isEqualTo(2);
        assertThat(shown.get(1).at("/addresses/0").asText()).isEqualTo("http://10.0.0.9:7070");
        assertThat(shown.get(1).has("version")).isFalse();
    }

    /** Several global masters count together, and the oldest view is the one that is shown. */
    @Test
    void instances_areSummedUp() {
        gateway("cell-north", "north", "a1");
        report("one", planned("north", "a1", 40, 100, 5, 2));
        report("two", planned("north", "a1", 44, 9_000, 6, 1));

        JsonNode shown = CELL.get("/v1/federation").json().get("cells");
        assertThat(shown.findValuesAsText("state")).containsExactly("HOME", "READY");
        JsonNode north = shown.get(1);
        assertThat(north.get("version").asLong()).isEqualTo(44);
        assertThat(north.get("lagSeconds").asDouble()).isGreaterThanOrEqualTo(9);
        assertThat(north.at("/claims/accepted").asLong()).isEqualTo(11);
        assertThat(north.at("/claims/inconsistent").asLong()).isEqualTo(3);
        assertThat(north.get("repartitions").asLong()).isEqualTo(2);
    }

    /** A cell that was founded again is another one, until its agent has registered it again. */
    @Test
    void anIncarnationThatChanged_isShownBesideTheOldMachine() {
        gateway("cell-north", "north", "a1");
        report("one", planned("north", "b2", 3, 100, 0, 0));

        JsonNode shown = CELL.get("/v1/federation").json().get("cells");
        assertThat(shown.findValuesAsText("incarnation")).contains("a1", "b2");
        assertThat(shown.findValuesAsText("state")).containsExactlyInAnyOrder("HOME", "NOT_OFFERED", "NOT_PLANNED");
    }

    private void gateway(String machine, String name, String incarnation) {
        Reply put = CELL.put(
                "/v1/machines/" + machine,
                "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 1024}, \"attributes\": {\"cell\": \"%s\", \"cell.incarnation\": \"%s\"}}"
                        .formatted(name, incarnation));
        assertThat(put.status()).as(put.body()).isEqualTo(200);
        made.add("/v1/machines/" + machine);
    }

    private static String planned(
            String name, String incarnation, long version, long heardMillis, long accepted, long conflicted) {
        return """
                {"addresses": ["http://%s:7070"], "name": "%s", "incarnation": "%s", "version": %d, "heardAgo": "%dms",
                 "machines": {"ready": 2}, "tasks": {"running": 4}, "planning": true, "claimsAccepted": %d,
                 "claimsConflicted": %d, "repartitions": 1}""".formatted(name, name, incarnation, version, heardMillis, accepted, conflicted);
    }

    private void report(String instance, String cells) {
        String path = "/v1/schedulers/megha/sessions/" + instance;
        long session = CELL.put(path, FOR_AN_HOUR).json().get("session").asLong();
        made.add(path);
        Reply said = CELL.post(path + ":report", "{\"session\": %d, \"cells\": [%s]}".formatted(session, cells));
        assertThat(said.status()).as(said.body()).isEqualTo(200);
    }
}
