package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.SchedulerReport;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.TaskByTask;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.SessionId;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a scheduler reports of the jobs that sleep. */
class LoopReportTest {
    private final SampleCell cell = SampleCell.of(2, 4_000, 8_192);

    @Test
    void taskThatFindsNoRoom_waitsForRoom() {
        cell.fill(SampleCell.batch("full", 8, 1_000, 64));
        assertThat(wakesOn(1_000)).containsExactly("a machine that gains room for 1000 cpuMilli, 64 memoryMib");
    }

    @Test
    void taskThatIsTooLargeForEachMachine_waitsForAnotherMachine() {
        assertThat(wakesOn(64_000))
                .containsExactly("a machine that is added or changed: none could hold 64000 cpuMilli, 64 memoryMib");
    }

    @Test
    void taskThatWaitsForRoomOnOneMachine_namesIt() {
        cell.fill(SampleCell.batch("full", 8, 1_000, 64));
        assertThat(wakesOn(1_000, new Waiting(Set.of("m-7"))))
                .containsExactly("m-7 that gains room for 1000 cpuMilli, 64 memoryMib");
    }

    @Test
    void taskThatWaitsForRoomOnManyMachines_namesThree() {
        cell.fill(SampleCell.batch("full", 8, 1_000, 64));
        Set<String> five = new LinkedHashSet<>(List.of("m-1", "m-2", "m-3", "m-4", "m-5"));
        assertThat(wakesOn(1_000, new Waiting(five)))
                .containsExactly("one of m-1, m-2, m-3 and 2 more that gains room for 1000 cpuMilli, 64 memoryMib");
    }

    /** Places nothing, and waits for room on those machines. */
    private record Waiting(Set<String> machines) implements Scheduler<String> {
        @Override
        public String start() {
            return "";
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            List<Unplaced> left = new ArrayList<>();
            List<Wake> wakes = new ArrayList<>();
            for (JobWork job : work.jobs()) {
                for (PendingGroup group : job.in(cells).pendingGroups(job.id())) {
                    left.add(group.explain());
                    wakes.add(new Wake.Room(job.key(), group.shape()).on(machines));
                }
            }
            return Plan.of(left, wakes, "");
        }
    }

    private List<String> wakesOn(long cpuMilli) {
        return wakesOn(cpuMilli, new TaskByTask(Choice.FIRST_FIT).scheduler());
    }

    private List<String> wakesOn(long cpuMilli, Scheduler<?> scheduler) {
        cell.submit(SampleCell.batch("waits", 1, cpuMilli, 64));
        SampleRun run = SampleRun.of(scheduler, cell).run();
        SchedulerReport report = LoopReport.of(
                LiveSchedulerOptions.of(URI.create("http://127.0.0.1:1"), "sample", "batch", "one", 1),
                new SessionId(1),
                run.status(),
                cell.view().dimensions(),
                new CellTime(1_000));
        return report.getJobs(0).getWakesOnList();
    }
}
