package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.bench.cell.Servers;
import dev.cella.bench.run.RunBench;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the measurement from submit to RUNNING ends, and measures; a test cannot judge the speed. */
class BenchRunTest {
    private static final RunBench.Question SMALL = new RunBench.Question(20, 100, 2, Duration.ZERO, 3, "none", 1, 0);

    private static final Servers THREE = new Servers("dev.cella.cli.Main", 3, "grpc", "1500ms", CommandClasses.flags());

    @Test
    void threeReplicas_runSmallJobsAndManyTasks(@TempDir Path folder) throws Exception {
        RunBench.Report report = RunBench.run(folder, SMALL, THREE, said -> {});
        assertThat(report.runningPerSecondByRound()).hasSize(2).last().isEqualTo(report.runningPerSecond());
        assertThat(report.runningPerSecond()).isPositive();
        assertThat(report.p99Millis())
                .isGreaterThanOrEqualTo(report.p50Millis())
                .isPositive();
        assertThat(report.cpuMicrosByPart()).containsKey("(servers)");
    }
}
