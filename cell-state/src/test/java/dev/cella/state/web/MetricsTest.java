package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.WatchRequest;
import dev.cella.state.ReplicaOptions;
import dev.cella.state.core.Lane;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.web.RunningCell.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each metric of the store moves when its event happens. {@code BatcherTest} covers the lanes. */
class MetricsTest {
    /** A checkpoint after nearly every command. */
    @RegisterExtension
    static final RunningCell CELL = new RunningCell(
            ReplicaOptions.defaults().withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(64)));

    @Test
    void commits_claimsAndConflicts_areCountedByReason() {
        CELL.putMachine("m-metric", 500, 8192);
        CELL.submit("metric", 2);
        Shown before = Shown.now();
        long basis = CELL.get("/v1/cell").version();
        CELL.place("metric-1", "metric/main/0", "m-metric");
        CELL.post("/v1/transactions", """
                {"id": "metric-2", "scheduler": "batch", "basis": %d,
                 "claims": [{"task": "metric/main/1", "machine": "m-metric"}]}""".formatted(basis));
        Shown after = Shown.now();

        assertThat(after.grown(before, "cella_transactions_total{verdict=\"committed\"}"))
                .isEqualTo(1);
        assertThat(after.grown(before, "cella_items_accepted_total")).isEqualTo(1);
        assertThat(after.grown(before, "cella_conflicts_total{reason=\"does_not_fit\"}"))
                .isEqualTo(1);
        assertThat(after.grown(before, "cella_conflicts_total{reason=\"machine_changed\"}"))
                .isZero();
    }

    @Test
    void log_packingFsyncApplyAndDigests_moveWithACommand() {
        Shown before = Shown.now();
        CELL.putMachine("m-log", 500, 8192);
        Shown after = Shown.now();

        assertThat(after.grown(before, "cella_commands_total")).isPositive();
        assertThat(after.grown(before, "cella_log_entries_total")).isPositive();
        assertThat(after.grown(before, "cella_log_bytes_total")).isPositive();
        assertThat(after.grown(before, "cella_log_rounds_total")).isPositive();
        assertThat(after.grown(before, "cella_log_round_seconds_total")).isPositive();
        assertThat(after.grown(before, "cella_log_fsyncs_total")).isPositive();
        assertThat(after.value("cella_log_fsync_seconds{quantile=\"0.5\"}")).isPositive();
        assertThat(after.value("cella_log_fsync_seconds{quantile=\"0.99\"}"))
                .isGreaterThanOrEqualTo(after.value("cella_log_fsync_seconds{quantile=\"0.5\"}"));
        assertThat(after.grown(before, "cella_apply_seconds_total")).isPositive();
        assertThat(after.value("cella_cell_digest{table=\"machines\"}"))
                .isNotEqualTo(before.value("cella_cell_digest{table=\"machines\"}"));
    }

    /** It had nothing to load or to replay, but each part still took some time. */
    @Test
    void start_isDividedIntoItsParts() {
        Shown shown = Shown.now();
        for (String part : List.of("process", "checkpoint", "log")) {
            assertThat(shown.value("cella_start_seconds{part=\"" + part + "\"}"))
                    .isPositive();
        }
        for (String part : List.of("election", "replay")) {
            assertThat(shown.value("cella_start_seconds{part=\"" + part + "\"}"))
                    .isNotNegative();
        }
    }

    /**
     * Checkpoints are written behind the apply, so those of a command may come after its answer, and one after another.
     */
    @Test
    void checkpoints_areCountedWithTheirBytesAndTheirTime() {
        Shown before = Shown.now();
        for (String metric : List.of(
                "cella_checkpoints_total",
                "cella_checkpoint_bytes_total",
                "cella_checkpoint_seconds_total",
                "cella_checkpoint_stall_seconds_total")) {
            for (int number = 0; Shown.now().grown(before, metric) == 0; number++) {
                CELL.putMachine("m-checkpoint-" + number, 500 + number, 8192);
            }
        }
    }

    /** More than the network accepts for a reader that has asked for a single frame. */
    @Test
    void feed_readerThatReadsNothing_lags() {
        Shown before = Shown.now();
        PausedWatcher watcher = PausedWatcher.of(CELL, WatchRequest.getDefaultInstance(), frame -> false);
        watcher.awaitFirst();
        Shown after = Shown.now();
        String attributes = IntStream.range(0, 50)
                .mapToObj(number -> "\"a%d\": \"%s\"".formatted(number, "x".repeat(4000)))
                .collect(Collectors.joining(","));
        for (int number = 0; after.value("cella_feed_lag_versions") < 3; number++) {
            Reply put = CELL.put(
                    "/v1/machines/m-lag-" + number,
                    "{\"capacity\": {\"cpuMilli\": 1, \"memoryMib\": 1}, \"attributes\": {%s}}".formatted(attributes));
            assertThat(put.status()).as(put.body()).isEqualTo(200);
            after = Shown.now();
        }
        assertThat(after.grown(before, "cella_feed_readers")).isEqualTo(1);
        assertThat(after.grown(before, "cella_feed_kept_bytes")).isPositive();
        watcher.cancel();
    }

    /** Commands are proposed at once here; {@code BatcherTest} fills a lane. */
    @Test
    void lanes_eachIsShown() {
        Shown shown = Shown.now();
        for (Lane lane : Lane.values()) {
            String label = "{lane=\"" + lane.name().toLowerCase(Locale.ROOT) + "\"}";
            assertThat(shown.value("cella_lane_waiting_bytes" + label)).isNotNegative();
            assertThat(shown.value("cella_lane_full_total" + label)).isZero();
        }
    }

    /** The metrics at one moment, by name and labels. */
    private record Shown(Map<String, Double> values) {
        static Shown now() {
            return new Shown(CELL.get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" ", 2))
                    .collect(Collectors.toMap(line -> line[0], line -> Double.parseDouble(line[1]))));
        }

        double value(String metric) {
            return Objects.requireNonNull(values.get(metric), metric);
        }

        double grown(Shown since, String metric) {
            return value(metric) - since.value(metric);
        }
    }
}
