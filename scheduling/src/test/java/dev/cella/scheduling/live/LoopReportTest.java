package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.SchedulerReport;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.TaskByTask;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.SessionId;
import java.net.URI;
import java.util.List;
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

    private List<String> wakesOn(long cpuMilli) {
        cell.submit(SampleCell.batch("waits", 1, cpuMilli, 64));
        SampleRun run =
                SampleRun.of(new TaskByTask(Choice.FIRST_FIT).scheduler(), cell).run();
        SchedulerReport report = LoopReport.of(
                LiveSchedulerOptions.of(URI.create("http://127.0.0.1:1"), "sample", "batch", "one", 1),
                new SessionId(1),
                run.status(),
                cell.view().dimensions(),
                new CellTime(1_000));
        return report.getJobs(0).getWakesOnList();
    }
}
