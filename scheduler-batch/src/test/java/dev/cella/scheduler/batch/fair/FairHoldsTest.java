package dev.cella.scheduler.batch.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Machines are held for a gang that has waited long enough. */
class FairHoldsTest {
    private static final long HOLD_AFTER_MILLIS = 5_000;

    private final SampleCell cell = SampleCell.of(2, 4_000, 8_192);

    @Test
    void gang_hasMachinesHeldForItInTime_thoughNothingElseHappens() {
        cell.fill(SampleCell.batch("full", 8, 1_000, 64));
        cell.submit(gang(6));
        long submitted = cell.time().millis();
        SampleRun run = SampleRun.of(new FairScheduler(1_000), cell).runUntil(submitted + HOLD_AFTER_MILLIS - 1);
        assertThat(holds()).isEmpty();
        run.runUntil(submitted + HOLD_AFTER_MILLIS + 1_000);
        assertThat(holds()).isNotEmpty();
    }

    private List<HoldRow> holds() {
        JobRow gang = cell.view().job("gang").orElseThrow();
        return cell.view().holdsOf(gang);
    }

    private static JobHeader gang(int tasks) {
        JobHeader plain = SampleCell.batch("gang", tasks, 1_000, 64);
        GroupHeader group = plain.groups().get(0);
        Gang gang = new Gang(tasks, HOLD_AFTER_MILLIS, Gang.Restarts.ALL);
        return plain.withGroups(List.of(new GroupHeader(
                "main", tasks, group.shape(), group.restart(), 0, 0, group.onLost(), Optional.of(gang))));
    }
}
