package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecisionTimeTest {
    @ParameterizedTest
    @CsvSource({"0.1s+5ms*tasks, 0.1, 0.005", "100ms, 0.1, 0", "1m + 2.5s * tasks, 60, 2.5", "0s+0s*tasks, 0, 0"})
    void parse_isReadAsItIsWritten(String text, double perJob, double perTask) {
        assertThat(DecisionTime.parse(text)).isEqualTo(DecisionTime.ofSeconds(perJob, perTask));
        assertThat(DecisionTime.parse(DecisionTime.parse(text).toString())).isEqualTo(DecisionTime.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"5", "-1s", "1s+5ms", "1 s+5ms*jobs", "''"})
    void parse_ofAnotherForm_isRefusedWithTheRightOne(String text) {
        assertThatThrownBy(() -> DecisionTime.parse(text)).hasMessageContaining("such as 0.1s+5ms*tasks");
    }

    @Test
    void nanos_growWithTheTasks() {
        assertThat(DecisionTime.parse("0.1s+5ms*tasks").nanos(20))
                .isEqualTo(Duration.ofMillis(200).toNanos());
    }
}
