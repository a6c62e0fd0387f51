package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.bench.cell.PlaceBench;
import dev.cella.bench.cell.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the measurement from end to end places by every part, and ends; a test cannot judge the speed. */
class BenchPlaceTest {
    private static final Duration SHORT = Duration.ofMillis(500);

    @Test
    void schedulerProcesses_placeTheJobsOfUsers() throws Exception {
        List<String> progress = new ArrayList<>();
        PlaceBench.Report report = PlaceBench.run(
                new Servers("dev.cella.cli.Main", 1, "grpc", "1500ms", CommandClasses.flags())
                        .withSchedulerJavaOptions(CommandClasses.flags()),
                new PlaceBench.Question(20, 2, 50, 5, SHORT, SHORT, 1),
                progress::add);
        assertThat(report.full().placementsPerSecond()).isPositive();
        assertThat(report.full().transactionsPerSecond()).isPositive();
        assertThat(report.quiet().p99Millis())
                .isGreaterThanOrEqualTo(report.quiet().p50Millis())
                .isPositive();
        assertThat(report.full().cpuMicrosByPart()).containsOnlyKeys("leader", "followers", "schedulers", "users");
        assertThat(report.full().mibByPart()).containsOnlyKeys("leader", "scheduler");
        assertThat(progress)
                .anyMatch(line -> line.startsWith("warming up: ") && line.endsWith("% of the processor time"))
                .anyMatch(line -> line.startsWith("measuring for "));
    }
}
