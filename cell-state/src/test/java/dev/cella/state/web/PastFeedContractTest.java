package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.ReplicaOptions;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.web.RunningCell.EventStream;
import dev.cella.state.web.RunningCell.EventStream.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The feed over HTTP, from versions at which nobody read it. */
class PastFeedContractTest {
    /** A cell for the first test, whose feed nobody has read before. */
    @RegisterExtension
    static final RunningCell CELL = new RunningCell(
            ReplicaOptions.defaults().withLimits(ReplicaLimits.defaults().withFeedBytes(1 << 20)));

    /** A cell that keeps almost nothing for its feed. */
    @RegisterExtension
    static final RunningCell FORGETFUL = new RunningCell(
            ReplicaOptions.defaults().withLimits(ReplicaLimits.defaults().withFeedBytes(2000)));

    @Test
    void fromAVersionThatNobodyRead_eachVersionIsToldAsItWas() throws Exception {
        CELL.putMachine("m-past", 4000, 8192);
        CELL.submit("past", 1);
        long from = CELL.get("/v1/cell").version();
        CELL.place("past-1", "past/main/0", "m-past");
        CELL.post("/v1/tasks/past/main/0:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}");
        CELL.delete("/v1/machines/m-past?force=true");
        long last = CELL.get("/v1/cell").version();

        try (EventStream feed = CELL.events("/v1/feed?from=" + from)) {
            List<String> told = toldUpTo(feed, from, last);
            assertThat(told).contains("past/main/0 PLACED", "past/main/0 RUNNING", "past/main/0 LOST", "m-past gone");
            assertThat(told.indexOf("past/main/0 PLACED")).isLessThan(told.indexOf("past/main/0 RUNNING"));
            // A reader that comes while another reads can go back as far.
            try (EventStream later = CELL.events("/v1/feed?machine=m-past&from=" + from)) {
                assertThat(later.next().version()).isEqualTo(from + 1);
            }
            CELL.putMachine("m-now", 4000, 8192);
            assertThat(feed.next().version()).isEqualTo(last + 1);
        }
    }

    @Test
    void fromAVersionOfTheFutureOrTooLongAgo_isResyncThenASnapshot() throws Exception {
        for (int number = 0; number < 100; number++) {
            FORGETFUL.putMachine("m-" + number, 4000, 8192);
        }
        for (long from : List.of(1L, 999_999L)) {
            try (EventStream feed = FORGETFUL.events("/v1/feed?from=" + from)) {
                Event resync = feed.next();
                assertThat(resync.event()).isEqualTo("resync");
                assertThat(resync.data().get("reason").asText()).contains(String.valueOf(from));
                assertThat(feed.next().event()).isEqualTo("snapshot");
            }
        }
    }

    /** Rows with their state, one version after another without a gap. */
    private static List<String> toldUpTo(EventStream feed, long from, long last) throws Exception {
        List<String> told = new ArrayList<>();
        for (long version = from + 1; version <= last; version++) {
            Event event = feed.next();
            assertThat(event.event()).isEqualTo("change");
            assertThat(event.version()).isEqualTo(version);
            for (JsonNode change : event.data().get("changes")) {
                told.add(change.get("name").asText() + " "
                        + (change.has("row") ? change.at("/row/state").asText() : "gone"));
            }
        }
        return told;
    }
}
