package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cella.state.web.RunningCell.EventStream;
import dev.cella.state.web.RunningCell.EventStream.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(180)
class FeedContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void feed_withoutAPlace_beginsWithASnapshot() throws Exception {
        CELL.putMachine("m-snap", 4000, 8192);
        CELL.submit("snap", 1);
        CELL.place("snap-1", "snap/main/0", "m-snap");
        try (EventStream feed = CELL.events("/v1/feed")) {
            Event first = feed.next();

            assertThat(first.event()).isEqualTo("snapshot");
            assertThat(names(first.data())).contains("MACHINE m-snap", "JOB snap", "TASK snap/main/0");
            assertThat(RunningCell.names(first.data())).containsExactly("version", "incarnation", "last", "changes");
            assertThat(first.id()).isEqualTo(first.data().get("version").asText());
        }
    }

    @Test
    void feed_afterTheSnapshot_hasAnEventForEveryVersionInOrder() throws Exception {
        try (EventStream feed = CELL.events("/v1/feed")) {
            long version = feed.next().version();
            CELL.putMachine("m-order", 4000, 8192);
            CELL.submit("order", 1);
            CELL.place("order-1", "order/main/0", "m-order");
            CELL.submit("order", 1);
            List<Event> events = List.of(feed.next(), feed.next(), feed.next(), feed.next());

            assertThat(events)
                    .extracting(Event::version)
                    .containsExactly(version + 1, version + 2, version + 3, version + 4);
            assertThat(events).allMatch(event -> event.event().equals("change"));
            assertThat(names(events.get(0).data())).containsExactly("MACHINE m-order");
            assertThat(names(events.get(2).data())).contains("TASK order/main/0", "MACHINE m-order", "JOB order");
            assertThat(events.get(2).data().get("transaction").asText()).isEqualTo("order-1");
            assertThat(events.get(2).data().get("scheduler").asText()).isEqualTo("batch");
            assertThat(events.get(3).data().get("changes")).isEmpty();
            Golden.check("feed/change", events.get(2).data());
        }
    }

    @Test
    void feed_rows_areWhatTheMatchingGetShows() throws Exception {
        CELL.putMachine("m-rows", 4000, 8192);
        CELL.submit("rows", 1);
        try (EventStream feed = CELL.events("/v1/feed")) {
            feed.next();
            CELL.place("rows-1", "rows/main/0", "m-rows");
            JsonNode changes = feed.next().data().get("changes");

            for (JsonNode change : changes) {
                JsonNode row = change.get("row");
                String path = switch (change.get("kind").asText()) {
                    case "MACHINE" -> "/v1/machines/" + change.get("name").asText();
                    case "TASK" -> "/v1/tasks/" + change.get("name").asText();
                    default -> "/v1/jobs/" + change.get("name").asText();
                };
                JsonNode got = CELL.get(path).json();
                ((ObjectNode) got)
                        .remove(List.of(
                                "version", "specification", "outdated", "generations", "dominantShare", "locality"));
                assertThat(row).isEqualTo(got);
            }
        }
    }

    @Test
    void feed_resumed_goesOnWhereItWas() throws Exception {
        long last;
        try (EventStream feed = CELL.events("/v1/feed")) {
            feed.next();
            CELL.putMachine("m-resume-1", 1000, 1024);
            last = feed.next().version();
        }
        CELL.putMachine("m-resume-2", 1000, 1024);
        CELL.delete("/v1/machines/m-resume-1");
        try (EventStream byHeader = CELL.events("/v1/feed?from=1", "Last-Event-ID", Long.toString(last));
                EventStream byQuery = CELL.events("/v1/feed?from=" + last)) {
            Event added = byHeader.next();
            Event removed = byHeader.next();

            assertThat(added.version()).isEqualTo(last + 1);
            assertThat(names(added.data())).containsExactly("MACHINE m-resume-2");
            assertThat(names(removed.data())).containsExactly("MACHINE m-resume-1");
            assertThat(removed.data().at("/changes/0").has("row")).isFalse();
            assertThat(byQuery.next().data()).isEqualTo(added.data());
        }
    }

    @Test
    void feed_everyStateOfATask_isShownOnce() throws Exception {
        CELL.putMachine("m-life", 4000, 8192);
        CELL.submit("life", 1);
        long from = CELL.get("/v1/cell").version();
        try (EventStream warm = CELL.events("/v1/feed?job=life")) {
            warm.next();
            CELL.place("life-1", "life/main/0", "m-life");
            CELL.post("/v1/tasks/life/main/0:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}");
            CELL.post("/v1/tasks/life/main/0:status", "{\"attempt\": 1, \"state\": \"FINISHED\", \"exitCode\": 0}");
        }
        try (EventStream feed = CELL.events("/v1/feed?from=" + from)) {
            List<String> states = new ArrayList<>();
            for (int version = 0; version < 3; version++) {
                for (JsonNode change : feed.next().data().get("changes")) {
                    if (change.get("kind").asText().equals("TASK")) {
                        states.add(change.at("/row/state").asText());
                    }
                }
            }
            assertThat(states).containsExactly("PLACED", "RUNNING", "FINISHED");
        }
    }

    @Test
    void feed_filtered_showsThoseRowsAlone() throws Exception {
        CELL.putMachine("m-filter-1", 1000, 1024);
        CELL.putMachine("m-filter-2", 1000, 1024);
        CELL.submit("filter", 2);
        try (EventStream machine = CELL.events("/v1/feed?machine=m-filter-1");
                EventStream job = CELL.events("/v1/feed?job=filter");
                EventStream scheduler = CELL.events("/v1/feed?scheduler=nosuch")) {
            assertThat(names(machine.next().data())).containsExactly("MACHINE m-filter-1");
            assertThat(names(job.next().data())).containsExactly("JOB filter");
            assertThat(names(scheduler.next().data())).isEmpty();
            CELL.place("filter-1", "filter/main/1", "m-filter-2");
            CELL.place("filter-2", "filter/main/0", "m-filter-1");

            assertThat(names(machine.next().data()))
                    .containsExactlyInAnyOrder("TASK filter/main/0", "MACHINE m-filter-1");
            assertThat(names(job.next().data())).containsExactlyInAnyOrder("TASK filter/main/1", "JOB filter");
            Event heartbeat = scheduler.nextOrHeartbeat();
            assertThat(heartbeat.event()).isEqualTo("heartbeat");
            assertThat(heartbeat.id()).isEqualTo(heartbeat.data().get("version").asText());
            assertThat(heartbeat.data().get("incarnation").asText()).isEqualTo(incarnation());
        }
    }

    @Test
    void feed_versionThatIsNotKept_isResyncThenASnapshot() throws Exception {
        try (EventStream feed = CELL.events("/v1/feed?from=999999")) {
            Event resync = feed.next();

            assertThat(resync.event()).isEqualTo("resync");
            assertThat(resync.data().get("reason").asText()).contains("999999");
            assertThat(feed.next().event()).isEqualTo("snapshot");
        }
    }

    private static String incarnation() {
        return CELL.get("/v1/cell").json().get("incarnation").asText();
    }

    @Test
    void feed_ofThisHistory_goesOnWhereItWas() throws Exception {
        long last;
        String history;
        try (EventStream feed = CELL.events("/v1/feed")) {
            Event snapshot = feed.next();
            last = snapshot.version();
            history = snapshot.data().get("incarnation").asText();
        }
        CELL.putMachine("m-history", 1000, 1024);
        try (EventStream feed = CELL.events("/v1/feed?from=%d&incarnation=%s".formatted(last, history))) {
            assertThat(names(feed.next().data())).containsExactly("MACHINE m-history");
        }
        assertThat(history).isEqualTo(incarnation());
    }

    /** After a restore the cell may have reached that version again, by other changes. */
    @Test
    void feed_ofAnotherHistory_isResyncThenASnapshot() throws Exception {
        CELL.putMachine("m-other", 1000, 1024);
        long version = CELL.get("/v1/cell").version();
        for (String place : List.of("from=" + version, "from=" + (version - 1), "at=" + version)) {
            try (EventStream feed = CELL.events("/v1/feed?incarnation=1&" + place)) {
                assertThat(feed.next().event()).isEqualTo("resync");
                Event snapshot = feed.next();
                assertThat(snapshot.event()).isEqualTo("snapshot");
                assertThat(snapshot.data().get("incarnation").asText()).isEqualTo(incarnation());
            }
        }
    }

    @Test
    void feed_badInput_saysWhere() {
        assertThat(CELL.get("/v1/feed?from=1&incarnation=x").fault("incarnation"))
                .contains("hexadecimal");
        assertThat(CELL.get("/v1/feed?form=3").fault("form")).contains("did you mean from?");
        assertThat(CELL.get("/v1/feed?from=now").fault("from")).isNotEmpty();
        assertThat(CELL.get("/v1/feed", "Last-Event-ID", "now").fault("Last-Event-ID"))
                .isNotEmpty();
        CELL.post("/v1/feed", "").problem(405, "method-not-allowed");
    }

    private static List<String> names(JsonNode data) {
        List<String> names = new ArrayList<>();
        data.get("changes")
                .forEach(change -> names.add(
                        change.get("kind").asText() + " " + change.get("name").asText()));
        return names;
    }
}
