package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.HoldTable;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
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

    /** A cell at that level with machines m0, m1 and so on of a core each, and the jobs j and k of a task each. */
    private static TestCell cellOf(int level, int machines) {
        TestCell cell = new TestCell(CellLimits.STANDARD, false);
        cell.apply(new Command.RaiseFeatureLevel(level));
        for (int machine = 0; machine < machines; machine++) {
            cell.machine("m" + machine, 1, 1);
        }
        cell.job("j", 1, 1, 0);
        cell.job("k", 1, 1, 0);
        return cell;
    }

    /** Asks for {@code count} holds of a core for the job, machine by machine, from the machine at {@code first} on. */
    private static Outcome spread(TestCell cell, String job, int first, int count) {
        Transaction.Builder holds = cell.transaction("holds-" + cell.version());
        for (int hold = 0; hold < count; hold++) {
            int slot = first + hold / HoldTable.HOLDS_A_MACHINE_MAX;
            holds.hold(new HoldRequest(cell.jobRow(job).id(), slot, Amounts.of(1), EXPIRES_AFTER_MILLIS));
        }
        return cell.commit(holds);
    }

    private static long accepted(Outcome outcome) {
        return outcome.results().stream().filter(ItemResult::accepted).count();
    }

    @Test
    void machine_hasAHundredHoldsAtMost_fromLevel11On() {
        TestCell cell = cellOf(EntryCodec.BOUNDED_HOLDS_LEVEL, 2);
        int most = HoldTable.HOLDS_A_MACHINE_MAX;
        assertThat(accepted(spread(cell, "j", 0, most))).isEqualTo(most);
        assertThat(spread(cell, "k", 0, 1).result(0).reason()).contains(Reason.HELD);
        assertThat(spread(cell, "k", 1, 1).result(0).accepted()).isTrue();

        TestCell before = cellOf(EntryCodec.BOUNDED_HOLDS_LEVEL - 1, 1);
        spread(before, "j", 0, HoldTable.HOLDS_A_MACHINE_MAX);
        assertThat(spread(before, "k", 0, 1).result(0).accepted()).isTrue();
    }

    @Test
    void transactionThatAsksForOneHoldTooMany_losesThatOne() {
        TestCell cell = cellOf(EntryCodec.BOUNDED_HOLDS_LEVEL, 1);
        Transaction.Builder holds = cell.transaction("h");
        for (int hold = 0; hold <= HoldTable.HOLDS_A_MACHINE_MAX; hold++) {
            holds.hold(new HoldRequest(cell.jobRow("j").id(), 0, Amounts.of(1), EXPIRES_AFTER_MILLIS));
        }
        Outcome outcome = cell.commit(holds);
        assertThat(accepted(outcome)).isEqualTo(HoldTable.HOLDS_A_MACHINE_MAX);
        assertThat(outcome.result(HoldTable.HOLDS_A_MACHINE_MAX).reason()).contains(Reason.HELD);
    }

    @Test
    void job_hasTenThousandHoldsAtMost_fromLevel11On() {
        int most = HoldTable.HOLDS_A_JOB_MAX;
        int machines = most / HoldTable.HOLDS_A_MACHINE_MAX + 1;
        TestCell cell = cellOf(EntryCodec.BOUNDED_HOLDS_LEVEL, machines);
        assertThat(accepted(spread(cell, "j", 0, most - 1))).isEqualTo(most - 1);

        Outcome outcome = spread(cell, "j", machines - 1, 2);
        assertThat(outcome.result(0).accepted()).isTrue();
        assertThat(outcome.result(1).reason()).contains(Reason.TOO_MANY_ROWS);
        assertThat(spread(cell, "k", machines - 1, 1).result(0).accepted()).isTrue();
    }

    @Test
    void holdsThatExpireTogether_endInSeveralCommands_fromLevel11On() {
        int most = HoldTable.HOLDS_A_JOB_MAX;
        int machines = most / HoldTable.HOLDS_A_MACHINE_MAX + 1;
        TestCell cell = cellOf(EntryCodec.BOUNDED_HOLDS_LEVEL, machines);
        spread(cell, "j", 0, most);
        spread(cell, "k", machines - 1, 1);
        cell.advance(EXPIRES_AFTER_MILLIS);
        List<Integer> left = new ArrayList<>();
        for (List<Command> due = due(cell); !due.isEmpty(); due = due(cell)) {
            assertThat(due).hasSize(1);
            cell.apply(due.get(0));
            left.add(cell.tables().holds.all().size());
            assertThat(cell.replica.view().digests()).isEqualTo(cell.view().digests());
        }
        assertThat(left).containsExactly(1, 0);
    }

    private static List<Command> due(TestCell cell) {
        return cell.cell.followUps(cell.header().cellTime());
    }
}
