package dev.cella.bench.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that one operation of the benchmark is what its description says. */
class CommitBenchmarkTest {
    @ParameterizedTest
    @EnumSource(names = {"RELEASES", "RELEASES_ANY_ORDER", "STOPS", "LOSSES"})
    void commit_ofEnds_endsEveryTask(CommitBenchmark.Work work) {
        CommitBenchmark benchmark = new CommitBenchmark();
        benchmark.machines = 10_000;
        benchmark.work = work;
        benchmark.fill();
        assertThat(benchmark.tasksOnMachines()).isEqualTo(CommitBenchmark.PLACED);
        benchmark.commit();
        assertThat(benchmark.tasksOnMachines()).isZero();
    }
}
