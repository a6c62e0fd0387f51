package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final PlannedFault PLANNED = new PlannedFault(FaultKind.DISK_FULL, "r1", 100, 1_000);

    private final List<String> done = new ArrayList<>();

    @Test
    void tick_faultWhoseTimeItIs_beginsLastsAndHeals() {
        FaultSchedule schedule = schedule(fault());
        schedule.tick(50);
        schedule.tick(100);
        schedule.tick(1_100);
        assertThat(done).containsExactly("begun", "lasts", "healed");
        assertThat(only(schedule)).isEqualTo(new FaultRun(FaultKind.DISK_FULL, "r1", 100, 1_100, true, ""));
    }

    @Test
    void tick_machineRefusesToKeepItUp_isHealed_andVoid_andTheRunGoesOn() {
        FaultSchedule schedule = schedule(fault().lasts(millis -> refuse()));
        schedule.tick(100);
        schedule.tick(2_000);
        assertThat(done).containsExactly("begun", "healed");
        assertThat(only(schedule))
                .isEqualTo(new FaultRun(FaultKind.DISK_FULL, "r1", 100, 100, false, "fallocate: no such device"));
    }

    @Test
    void tick_machineRefusesToBeginAndToHealIt_isVoid() {
        FaultSchedule schedule =
                schedule(fault().begins(FaultScheduleTest::refuse).heals(FaultScheduleTest::refuse));
        schedule.tick(100);
        assertThat(only(schedule).bit()).isFalse();
    }

    /** The cell may fail because of what is still broken. */
    @Test
    void tick_machineRefusesToHealWhatWasInForce_endsTheRun() {
        FaultSchedule schedule = schedule(fault().heals(FaultScheduleTest::refuse));
        schedule.tick(100);
        assertThatThrownBy(() -> schedule.tick(1_100)).isInstanceOf(Tool.Refusal.class);
    }

    @Test
    void pageOfChaos_saysHowMuchLongerAFaultMayLast() throws Exception {
        assertThat(Files.readString(Path.of("../docs/chaos.md")))
                .contains("lasts up to " + FaultSchedule.LONGER_MILLIS_MAX / 1_000 + " s longer");
    }

    private ProcessFault fault() {
        return ProcessFault.on("r1")
                .begins(() -> done.add("begun"))
                .lasts(millis -> done.add("lasts"))
                .heals(() -> done.add("healed"));
    }

    private static FaultSchedule schedule(ProcessFault fault) {
        return new FaultSchedule(List.of(PLANNED), planned -> fault);
    }

    private static FaultRun only(FaultSchedule schedule) {
        assertThat(schedule.runs()).hasSize(1);
        return schedule.runs().get(0);
    }

    private static void refuse() {
        throw new Tool.Refusal(List.of("fallocate"), "no such device");
    }
}
