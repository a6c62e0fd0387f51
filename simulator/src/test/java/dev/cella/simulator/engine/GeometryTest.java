package dev.cella.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GeometryTest {
    @Test
    void prefill_isTheFewestTasksThatReachIt() {
        assertThat(Geometry.ofMachines(10_000).prefillTasks()).isEqualTo(21_819);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4000, 16384, 1100, 1536, 0.6, a cell has 1 to 1000000 machines",
        "10, 4000, 16384, 4001, 1536, 0, larger than every machine",
        "10, 4000, 16384, 1100, 16385, 0, larger than every machine",
        "10, 4000, 16384, 0, 1536, 0, a task asks for a part of a core",
        "10, 4000, 16384, 1100, 1536, 1, prefilled from 0 to just below 1",
        "10, 4000, 16384, 1100, 1536, 0.9, fill at most 0.825",
    })
    void impossible_isReportedBeforeTheRun(
            int machines, long cpu, long memory, long taskCpu, long taskMemory, double prefill, String fault) {
        assertThatThrownBy(() -> new Geometry(machines, cpu, memory, taskCpu, taskMemory, prefill))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining(fault);
    }
}
