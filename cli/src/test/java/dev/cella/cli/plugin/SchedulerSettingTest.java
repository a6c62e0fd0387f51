package dev.cella.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchedulerSettingTest {
    private static List<SchedulerSetting> all(List<String> more, Map<String, String> options) {
        return SchedulerSetting.ofAll(SchedulerTypes.installed(), more, options);
    }

    @Test
    void schedulers_areOneOfEachType_andThoseThatAreAskedFor() {
        List<String> types = SchedulerTypes.installed().names();

        assertThat(all(List.of(), Map.of()))
                .extracting(SchedulerSetting::name)
                .containsExactlyInAnyOrderElementsOf(types);
        assertThat(all(List.of("batch:night", "batch"), Map.of()))
                .hasSize(types.size() + 1)
                .filteredOn(each -> each.provider().type().equals("batch"))
                .extracting(SchedulerSetting::name)
                .containsExactly("batch", "night");
    }

    @Test
    void option_isForTheSchedulerThatItNames() {
        List<SchedulerSetting> schedulers =
                all(List.of("batch:night"), Map.of("night:placement", "best-fit", "batch:placement", "worst-fit"));

        assertThat(schedulers)
                .filteredOn(each -> !each.set().isEmpty())
                .extracting(each -> each.name() + each.set())
                .containsExactly("batch{placement=worst-fit}", "night{placement=best-fit}");
    }

    @Test
    void wrongScheduler_isRefusedWithAHint() {
        assertRefused(List.of("bach:night"), Map.of(), "there is no scheduler of type bach");
        assertRefused(List.of("batch:"), Map.of(), "--scheduler batch:: the name is no name: \"\"");
        assertRefused(List.of("batch:service"), Map.of(), "there is a scheduler service of type service");
        assertRefused(List.of("batch:x", "service:x"), Map.of(), "there is a scheduler x of type batch");
        assertRefused(List.of(), Map.of("nigth:placement", "best-fit"), "there is no scheduler nigth");
    }

    private static void assertRefused(List<String> more, Map<String, String> options, String why) {
        assertThatThrownBy(() -> all(more, options))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(why);
    }
}
