package dev.cella.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.simulator.workload.VirtualTime;
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
    void impossible_isSaidBeforeTheRun(
            int machines, long cpu, long memory, long taskCpu, long taskMemory, double prefill, String fault) {
        assertThatThrownBy(() -> new Geometry(machines, cpu, memory, taskCpu, taskMemory, prefill))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining(fault);
    }

    @ParameterizedTest
    @CsvSource({"0.1s+5ms*tasks, 0.1, 0.005", "100ms, 0.1, 0", "1m + 2.5s * tasks, 60, 2.5", "0s+0s*tasks, 0, 0"})
    void decisionTime_isReadAsItIsWritten(String text, double perJob, double perTask) {
        assertThat(DecisionTime.parse(text)).isEqualTo(DecisionTime.ofSeconds(perJob, perTask));
        assertThat(DecisionTime.parse(DecisionTime.parse(text).toString())).isEqualTo(DecisionTime.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"5", "-1s", "1s+5ms", "1 s+5ms*jobs", "''"})
    void decisionTime_ofAnotherForm_isRefused(String text) {
        assertThatThrownBy(() -> DecisionTime.parse(text)).isInstanceOf(ImpossibleParameterException.class);
    }

    @Test
    void decisionTime_growsWithTheTasks() {
        assertThat(DecisionTime.parse("0.1s+5ms*tasks").nanos(20)).isEqualTo(VirtualTime.nanos(0.2));
    }
}
