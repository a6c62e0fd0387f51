package dev.cella.scheduling.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.TaskId;
import org.junit.jupiter.api.Test;

class FailedMachinesTest {
    private static final JobId JOB = new JobId(7);
    private static final JobId OTHER = new JobId(9);
    private static final MachineId M0 = new MachineId(1);
    private static final MachineId M1 = new MachineId(2);
    private static final CellTime NOW = new CellTime(1_000);
    private static final long HOUR_MILLIS = 3_600_000;

    private final FailedMachines failed = new FailedMachines();

    @Test
    void group_avoidsMachinesAfterTwoFailuresOfOneTask() {
        failed.failed(new TaskId(JOB, 0, 0), 1, M0, NOW);
        assertThat(failed.avoidedBy(JOB, 0, NOW)).isEmpty();
        failed.failed(new TaskId(JOB, 0, 0), 1, M0, NOW);
        assertThat(failed.avoidedBy(JOB, 0, NOW)).as("the same attempt").isEmpty();
        failed.failed(new TaskId(JOB, 0, 0), 2, M1, NOW);
        assertThat(failed.avoidedBy(JOB, 0, NOW)).containsExactlyInAnyOrder(M0, M1);
        assertThat(failed.avoidedBy(JOB, 1, NOW)).isEmpty();
    }

    @Test
    void failuresOfAnHourAgo_countNoMore() {
        CellTime later = NOW.plusMillis(HOUR_MILLIS - 1);
        CellTime anHourLater = NOW.plusMillis(HOUR_MILLIS);
        failed.failed(new TaskId(JOB, 0, 0), 1, M0, NOW);
        failed.failed(new TaskId(JOB, 0, 0), 2, M1, later);
        assertThat(failed.avoidedBy(JOB, 0, later)).containsExactlyInAnyOrder(M0, M1);
        assertThat(failed.avoidedBy(JOB, 0, anHourLater)).isEmpty();
        failed.failed(new TaskId(JOB, 0, 0), 3, M1, anHourLater);
        assertThat(failed.avoidedBy(JOB, 0, anHourLater)).containsExactly(M1);
    }

    @Test
    void forget_takesAllGroupsOfTheJobAndNoOther() {
        for (int group = 0; group < 3; group++) {
            for (int attempt = 1; attempt <= 2; attempt++) {
                failed.failed(new TaskId(JOB, group, 5), attempt, M0, NOW);
                failed.failed(new TaskId(OTHER, group, 5), attempt, M1, NOW);
            }
        }
        FailedMachines copy = failed.copy();
        failed.forget(JOB);
        for (int group = 0; group < 3; group++) {
            assertThat(failed.avoidedBy(JOB, group, NOW)).isEmpty();
            assertThat(failed.avoidedBy(OTHER, group, NOW)).containsExactly(M1);
            assertThat(copy.avoidedBy(JOB, group, NOW)).containsExactly(M0);
        }
    }
}
