package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationOptionTest {
    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "10s,PT10S", "1h30m,PT1H30M", "30d,PT720H", "1d2h3m4s5ms,PT26H3M4.005S"})
    void durations_areReadAsTheyAreTyped(String typed, Duration duration) {
        assertThat(DurationOption.parse(typed)).isEqualTo(duration);
    }

    /** As {@code cella chaos inject} gives it to its guard, and a run prints it. */
    @Test
    void longDuration_mayBeInMilliseconds() {
        Duration decade = Duration.ofDays(3650);

        assertThat(DurationOption.parse(decade.toMillis() + "ms")).isEqualTo(decade);
        assertThat(DurationOption.parse(decade.toSeconds() + "s")).isEqualTo(decade);
        assertThat(DurationOption.parse(decade.toMinutes() + "m")).isEqualTo(decade);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "1.5s", "5x", "5s1h", "1234567890s"})
    void otherText_isNoDuration(String typed) {
        assertThatThrownBy(() -> DurationOption.parse(typed))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("'" + typed + "' is no duration such as 250ms, 10s or 1h30m");
    }
}
