package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.bench.cell.StartBench;
import org.junit.jupiter.api.Test;

/** Tests that the measurement starts cells and ends them; a test cannot judge the speed. */
class BenchStartTest {
    @Test
    void cell_isStartedNewAndAgain() throws Exception {
        StartBench.Report report = StartBench.run("dev.cella.cli.Main", CommandClasses.flags(), 1, 1);

        assertThat(report.starts()).hasSize(1);
        assertThat(report.starts().get(0).newSeconds()).isPositive();
        assertThat(report.starts().get(0).againSeconds()).isPositive();
    }
}
