package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldsTest {
    private static final long EXPIRES_AFTER_MILLIS = 60_000;

    /** Asks for that many holds of one core on machine m, for job j. */
    private static Transaction.Builder holds(TestCell cell, int count) {
        Transaction.Builder holds = cell.transaction("holds-" + cell.version());
        for (int hold = 0; hold < count; hold++) {
            holds.hold(new HoldRequest(cell.jobRow("j").id(), cell.slot("m"), Amounts.of(1), EXPIRES_AFTER_MILLIS));
        }
        return holds;
    }

    private static List<Amounts> got(TestCell cell) {
        return cell.view().holdsOn(cell.slot("m")).stream().map(HoldRow::got).toList();
    }

    /** Serving all holds of the machine for each new one would take twenty times as much. */
    @Test
    void manyHoldsOnOneMachine_areMadeAtACostForEach() {
        int count = 4_000;
        TestCell cell = new TestCell(CellLimits.STANDARD, false);
        cell.machine("m", count, 1);
        cell.job("j", count, 1, 0);
        Command commit = new Command.CommitTransaction(holds(cell, count).build());
        long bytes = Allocation.bytes(() -> cell.apply(commit));
        assertThat(got(cell)).hasSize(count).containsOnly(Amounts.of(1));
        assertThat(bytes).isLessThan(8_000L * count);
    }

    @Test
    void newHold_getsWhatIsFree_andLaterOnlyWhatTheOlderOnesLeave() {
        TestCell cell = new TestCell();
        cell.machine("m", 3, 1);
        cell.job("j", 9, 1, 0);
        cell.place("j", 0, "m");
        cell.place("j", 1, "m");

        Outcome outcome = cell.commit(holds(cell, 3));
        assertThat(outcome.result(0).accepted()).isTrue();
        assertThat(got(cell)).containsExactly(Amounts.of(1), Amounts.NONE, Amounts.NONE);

        cell.report("j", 0, TaskState.FAILED);
        cell.commit(holds(cell, 1));
        assertThat(got(cell)).containsExactly(Amounts.of(1), Amounts.of(1), Amounts.NONE, Amounts.NONE);
    }
}
