package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.TaskState;
import org.junit.jupiter.api.Test;

/** When a drained machine has tasks that a further command must move. */
class DrainsTest {
    private static final long DEADLINE_AFTER_MILLIS = 1_000;

    private final TestCell cell = new TestCell(CellLimits.STANDARD, false);

    private MachineId machineWithATask(int number) {
        cell.machineWithAgent("m" + number, 1_000, 1_000, "boot");
        cell.place("j", number, "m" + number);
        return cell.machineId("m" + number);
    }

    private void drain(MachineId machine, long afterMillis, Drain.BatchTasks batch) {
        cell.apply(new Command.DrainMachine(machine, afterMillis, batch));
    }

    /** The next command brings the cell to that time. */
    private void at(CellTime time) {
        cell.advance(time.millis() - cell.view().time().millis());
        cell.apply(new Command.ContinueStop(cell.jobRow("j").id()));
        assertThat(cell.view().time()).isEqualTo(time);
    }

    private CellTime after(long millis) {
        return cell.view().time().plusMillis(millis);
    }

    /** After every entry the apply thread asks whether there is work. */
    @Test
    void drainedMachines_whoseTasksMayFinish_areLookedAtOnce() {
        int machines = 400;
        cell.job("j", machines, 100, 100);
        for (int number = 0; number < machines; number++) {
            drain(machineWithATask(number), 0, Drain.BatchTasks.FINISH);
        }
        at(after(1));
        assertThat(cell.cell.hasFollowUps()).isFalse();
        long bytes = Allocation.bytes(() -> cell.cell.hasFollowUps());
        assertThat(bytes).isLessThan(10L * machines);
    }

    @Test
    void drain_isDueFromItsDeadlineOn_untilItsTasksAreTold() {
        cell.job("j", 1, 100, 100);
        MachineId machine = machineWithATask(0);
        CellTime deadline = after(DEADLINE_AFTER_MILLIS);
        drain(machine, DEADLINE_AFTER_MILLIS, Drain.BatchTasks.MOVE);
        assertThat(cell.cell.hasFollowUps()).isFalse();

        at(deadline);
        assertThat(cell.cell.hasFollowUps()).isTrue();
        assertThat(cell.cell.followUps()).containsExactly(new Command.ContinueDrain(machine));
        assertThat(cell.reloaded().followUps()).containsExactly(new Command.ContinueDrain(machine));

        cell.apply(new Command.ContinueDrain(machine));
        assertThat(cell.row("j", 0).state()).isEqualTo(TaskState.STOPPING);
        assertThat(cell.cell.hasFollowUps()).isFalse();
    }

    @Test
    void drain_thatTheLeadersClockFinds_isDueAgainAtThatCellTime() {
        cell.job("j", 1, 100, 100);
        MachineId machine = machineWithATask(0);
        CellTime deadline = after(DEADLINE_AFTER_MILLIS);
        drain(machine, DEADLINE_AFTER_MILLIS, Drain.BatchTasks.MOVE);
        assertThat(cell.cell.followUps(deadline)).containsExactly(new Command.ContinueDrain(machine));

        assertThat(cell.cell.hasFollowUps()).as("the cell's time is before").isFalse();
        assertThat(cell.cell.followUps()).isEmpty();
        at(deadline);
        assertThat(cell.cell.hasFollowUps()).isTrue();
    }

    @Test
    void drainAgain_hasTheNewDeadline_alsoAfterTheFormerOne() {
        cell.job("j", 1, 100, 100);
        MachineId machine = machineWithATask(0);
        drain(machine, DEADLINE_AFTER_MILLIS, Drain.BatchTasks.MOVE);
        CellTime later = after(2 * DEADLINE_AFTER_MILLIS);
        drain(machine, 2 * DEADLINE_AFTER_MILLIS, Drain.BatchTasks.FINISH);
        at(later);
        assertThat(cell.cell.followUps()).as("its task may finish").isEmpty();

        drain(machine, 0, Drain.BatchTasks.MOVE);
        assertThat(cell.cell.followUps()).containsExactly(new Command.ContinueDrain(machine));

        drain(machine, DEADLINE_AFTER_MILLIS, Drain.BatchTasks.MOVE);
        assertThat(cell.cell.hasFollowUps()).as("the deadline was put off").isFalse();
        at(after(DEADLINE_AFTER_MILLIS));
        assertThat(cell.cell.hasFollowUps()).isTrue();

        cell.change("m0", Command.MachineChange.READY, false);
        assertThat(cell.cell.hasFollowUps()).isFalse();
    }
}
