package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlannedCell.Attempt;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The algorithm of the dissertation, section 3.2, and its statements about tasks that it could not place. */
class FirstFitPaperTest {
    private static final JobPlanner FIRST_FIT = new TaskByTask(Choice.FIRST_FIT);

    private final PlannedCell cell = new PlannedCell();

    /** "while pool has more machines and job has more tasks to schedule" */
    @Test
    void room_isUsedToTheLast() {
        cell.machines(10, 4_000);
        Attempt attempt = plan(cell.job(50, 1_000), 7);
        assertThat(attempt.claims()).isEqualTo(40);
        assertThat(attempt.unplaced()).singleElement().satisfies(left -> {
            assertThat(left.tasks()).isEqualTo(10);
            assertThat(left.sentence()).isEqualTo("10 machines lack cpuMilli");
            assertThat(left.neverPlaceable()).isFalse();
        });
    }

    /** "candidate := random machine in pool" */
    @Test
    void attempts_beginElsewhere() {
        cell.machines(1_000, 4_000);
        JobRow job = cell.job(1, 1_000);
        Set<Integer> begun = new HashSet<>();
        for (long seed = 0; seed < 200; seed++) {
            begun.addAll(plan(job, seed).machines());
        }
        assertThat(begun).hasSizeGreaterThan(150);
    }

    @Test
    void sameSeed_samePlan() {
        cell.machines(100, 4_000);
        JobRow job = cell.job(30, 1_000);
        assertThat(plan(job, 5).machines()).isEqualTo(plan(job, 5).machines());
        assertThat(plan(job, 5).machines()).isNotEqualTo(plan(job, 6).machines());
    }

    /** "if candidate has enough available resources to fit ... else remove candidate from pool" */
    @Test
    void machineWithTooLittle_isPassedOver() {
        cell.machines(50, 500);
        int large = cell.machine("large", 1_000);
        for (long seed = 0; seed < 20; seed++) {
            assertThat(plan(cell.job(2, 1_000), seed).machines()).containsExactly(large);
        }
    }

    @Test
    void machineThatIsNotReady_takesNothing() {
        cell.machines(2, 4_000);
        cell.change("m0", Command.MachineChange.DRAIN);
        Attempt attempt = plan(cell.job(6, 1_000), 3);
        assertThat(attempt.claims()).isEqualTo(4);
        assertThat(attempt.sentence()).isEqualTo("1 machine drained, 1 machine lacks cpuMilli");
    }

    @Test
    void taskLargerThanEveryMachine_canNeverBePlaced() {
        cell.machines(3, 4_000);
        Unplaced unplaced = plan(cell.job(1, 5_000), 3).unplaced().get(0);
        assertThat(unplaced.neverPlaceable()).isTrue();
        assertThat(unplaced.sentence()).isEqualTo("3 machines are too small in cpuMilli");
        assertThat(unplaced.causes().get(0).example()).isEqualTo("m0");
    }

    @Test
    void cellWithoutMachines_saysSo() {
        Unplaced unplaced = plan(cell.job(1, 1_000), 3).unplaced().get(0);
        assertThat(unplaced.sentence()).isEqualTo("the cell has no machine");
        assertThat(unplaced.neverPlaceable()).isFalse();
    }

    @Test
    void roomiestMachine_isNamed() {
        cell.machines(2, 1_000);
        cell.machine("roomy", 3_000);
        Unplaced unplaced = plan(cell.job(1, 4_000), 3).unplaced().get(0);
        assertThat(unplaced.causes().get(0).machines()).isEqualTo(3);
        assertThat(unplaced.roomiest()).hasValueSatisfying(roomiest -> {
            assertThat(roomiest.machine()).isEqualTo("roomy");
            assertThat(roomiest.free()).isEqualTo(Amounts.of(3_000, 8_192));
        });
    }

    @Test
    void tooManyClaimsForOneTransaction_goInSeveral() {
        cell.machines(4, 100_000);
        List<Proposal> proposals = plan(cell.job(250, 1_000), 3).proposals();
        assertThat(proposals).hasSize(3);
        assertThat(proposals).extracting(each -> each.transaction().claims()).containsExactly(100, 100, 50);
    }

    private Attempt plan(JobRow job, long seed) {
        return cell.plan(FIRST_FIT, job, seed);
    }
}
