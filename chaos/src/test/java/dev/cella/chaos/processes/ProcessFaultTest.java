package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessFaultTest {
    private static final String NOBODY = "nothing of that name runs in this cell";

    @Test
    void onNothing_saysSo_andNotWhatElseIsMissing() {
        assertThat(ProcessFault.on(List.of()).whyVoid(1)).isEqualTo(NOBODY);
        assertThat(ProcessFault.on(List.of())
                        .isVoid(lasted -> "it was too short")
                        .whyVoid(1))
                .isEqualTo(NOBODY);
        assertThat(ProcessFault.impossible(List.of(), "it needs a C compiler").whyVoid(1))
                .isEqualTo(NOBODY);
    }

    @Test
    void faultOfTheLoad_isVoid_untilTheCellHasDoneSomeOfIt() {
        List<Runnable> asked = new ArrayList<>();
        ProcessFault surge = ProcessFaults.load("users", asked::add, () -> {});
        surge.begin();
        assertThat(surge.hasBitten()).isFalse();
        assertThat(surge.whyVoid(1)).isEqualTo("the cell did nothing of it in time");
        asked.get(0).run();
        assertThat(surge.hasBitten()).isTrue();
        assertThat(surge.whyVoid(1)).isEmpty();
    }

    @Test
    void exchangeOfAPlugin_isVoid_ifItsSchedulerWasDown(@TempDir Path folder) {
        Part scheduler = new Part(Part.Role.SCHEDULER, "mine", 1, List.of("sleep", "1000"), Map.of(), folder);
        List<Part> exchanged = new ArrayList<>();
        ProcessFault whileItRuns = ProcessFaults.exchange(List.of(scheduler), exchanged::add);
        whileItRuns.begin();
        scheduler.kill();
        ProcessFault whileItIsDown = ProcessFaults.exchange(List.of(scheduler), exchanged::add);
        whileItIsDown.begin();
        assertThat(exchanged).containsExactly(scheduler, scheduler);
        assertThat(whileItRuns.whyVoid(1)).isEmpty();
        assertThat(whileItIsDown.whyVoid(1)).isEqualTo("it was not running");
    }

    @Test
    void onSomething_saysWhatIsMissing() {
        assertThat(ProcessFault.impossible("r1", "it needs a C compiler").whyVoid(1))
                .isEqualTo("it needs a C compiler");
        assertThat(ProcessFault.on("r1").whyVoid(1)).isEmpty();
    }
}
