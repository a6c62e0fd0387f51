package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.ReadAhead;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many tasks that end by one command do so in runs. Each ends as it would alone. The cell and its replica, which gets longer
 * runs, agree.
 */
class StepsTogetherTest {
    private static final int TASKS = 2 * ReadAhead.TASKS + 4;

    private final TestCell cell = new TestCell();

    @BeforeEach
    void twoMachines() {
        cell.machineWithAgent("with", 1_000_000, 1_000_000, "boot");
        cell.machine("without", 1_000_000, 1_000_000);
    }

    /** Tasks with an even index go to a machine with an agent. */
    private void placeAll() {
        Transaction.Builder transaction = cell.transaction("place-" + cell.version());
        for (int index = 0; index < TASKS; index++) {
            if (cell.jobRow("j").group(0).isPending(index)) {
                String machine = index % 2 == 0 ? "with" : "without";
                transaction.claim(cell.task("j", index), cell.generation("j"), cell.slot(machine));
            }
        }
        cell.commit(transaction);
    }

    private int count(TaskState state) {
        return cell.jobRow("j").counts().of(state);
    }

    private int counted(TaskState state) {
        return cell.view().taskCounts().of(state);
    }

    private long free(String machine) {
        return cell.machineRow(machine).free().at(0);
    }

    private long used() {
        return cell.view().pools().iterator().next().use(0);
    }

    @Test
    void stop_ofTasksInSeveralStates_countsEachFromWhereItCame() {
        cell.job("j", TASKS + 3, 1_000, 1);
        placeAll();
        for (int index = 0; index < TASKS; index += 3) {
            cell.report("j", index, TaskState.RUNNING);
        }
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        assertThat(count(TaskState.STOPPING)).isEqualTo(TASKS / 2);
        assertThat(count(TaskState.KILLED)).isEqualTo(TASKS / 2 + 3);
        assertThat(count(TaskState.PLACED) + count(TaskState.RUNNING)).isZero();
        assertThat(counted(TaskState.STOPPING)).isEqualTo(TASKS / 2);
        assertThat(counted(TaskState.KILLED)).isEqualTo(TASKS / 2 + 3);
        assertThat(free("with")).isEqualTo(1_000_000 - TASKS / 2 * 1_000);
        assertThat(free("without")).isEqualTo(1_000_000);
        assertThat(used()).isEqualTo(TASKS / 2 * 1_000);
    }

    @Test
    void tasksOfTwoGenerations_giveBackWhatEachHeld() {
        cell.job("j", TASKS / 2, 1_000, 1);
        placeAll();
        cell.apply(TestCell.submit("j", "batch", TASKS, 3_000, 1, Command.SubmitMode.CREATE_OR_UPDATE));
        placeAll();
        long held = TASKS / 2 * 4_000L;
        assertThat(used()).isEqualTo(held);
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        assertThat(free("without")).isEqualTo(1_000_000);
        assertThat(used()).isEqualTo(held / 2);
        cell.apply(new Command.LoseMachine(cell.machineId("with")));
        assertThat(used()).isZero();
    }

    /** A report just freed amounts equal to those of each task, but as another object. */
    @Test
    void stops_afterAReport_giveBackToEachPoolWhatItsTasksHeld() {
        cell.job("before", 1, 1_000, 1);
        cell.job("j", TASKS, 1_000, 1);
        cell.job("larger", 2, 3_000, 1);
        cell.place("before", 0, "with");
        cell.place("larger", 0, "without");
        cell.place("larger", 1, "without");
        placeAll();
        cell.report("before", 0, TaskState.LOST);
        assertThat(used()).isEqualTo(TASKS * 1_000L + 6_000);
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        assertThat(used()).isEqualTo(TASKS / 2 * 1_000L + 6_000);
        cell.apply(new Command.StopJob(cell.jobRow("larger").id()));
        assertThat(used()).isEqualTo(TASKS / 2 * 1_000L);
        cell.apply(new Command.LoseMachine(cell.machineId("with")));
        assertThat(used()).isZero();
    }

    @Test
    void loss_ofTasksOfManyJobs_bringsEachJobUpToDate() {
        for (int job = 0; job < 20; job++) {
            cell.job("j" + job, 1, 1_000, 1);
            cell.place("j" + job, 0, "with");
        }
        cell.apply(new Command.LoseMachine(cell.machineId("with")));
        for (int job = 0; job < 20; job++) {
            assertThat(cell.jobRow("j" + job).state()).isEqualTo(JobState.PENDING);
            assertThat(cell.jobRow("j" + job).changedVersion())
                    .isEqualTo(cell.version().number());
        }
    }

    @Test
    void scaleDown_forgetsWhatHasEnded_betweenTasksThatAreToldToStop() {
        cell.job("j", TASKS, 1_000, 1);
        placeAll();
        for (int index = 0; index < TASKS; index += 4) {
            cell.report("j", index, TaskState.LOST);
        }
        cell.apply(new Command.ScaleGroup(cell.jobRow("j").id(), 0, 1));
        for (Command more : cell.cell.followUps()) {
            cell.apply(more);
        }
        assertThat(cell.view().task(cell.task("j", 4))).isEmpty();
        assertThat(cell.view().task(cell.task("j", 1))).isEmpty();
        assertThat(cell.row("j", 2).state()).isEqualTo(TaskState.STOPPING);
        assertThat(count(TaskState.STOPPING)).isEqualTo(TASKS / 4);
        assertThat(free("without")).isEqualTo(1_000_000);
    }
}
