package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchedulerOptionsTest {
    private static final List<SchedulerOption> OPTIONS =
            List.of(new SchedulerOption("coresKept", "1", "how many cores stay free on each machine"));

    @Test
    void option_isItsDefaultUnlessSet() {
        assertThat(SchedulerOptions.defaults(OPTIONS).number("coresKept", 0, 8)).isEqualTo(1);
        assertThat(SchedulerOptions.of(OPTIONS, Map.of("coresKept", "4")).number("coresKept", 0, 8))
                .isEqualTo(4);
    }

    @Test
    void optionThatDoesNotExist_isRefusedWithThoseThatDo() {
        assertThatThrownBy(() -> SchedulerOptions.of(OPTIONS, Map.of("coreKept", "4")))
                .hasMessage("no option coreKept, there are [coresKept]");
    }

    @Test
    void number_isCheckedAgainstItsBounds() {
        for (String value : List.of("many", "9", "-1")) {
            SchedulerOptions options = SchedulerOptions.of(OPTIONS, Map.of("coresKept", value));
            assertThatThrownBy(() -> options.number("coresKept", 0, 8))
                    .hasMessage("option coresKept is a whole number from 0 to 8, not " + value);
        }
    }
}
