package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A gang of whole-machine tasks in a cell that short tasks keep nine tenths full, from one seed. Retrying all or nothing never
 * succeeds, and keeping partial claims does not either; a hold does. Two gangs that each need more than half of the cell both
 * finish, because holds are granted in one order.
 */
class StarvationTest {
    private static final int MACHINES = 12;
    private static final int CORES = 4;
    private static final int ROUNDS = 150;
    private static final Amounts MACHINE = Amounts.of(CORES);

    private final TestCell cell = new TestCell(new CellLimits(10_000, 3_600_000, 10_000), false);
    private final Random random = new Random(20_121_130);
    private final List<Integer> running = new ArrayList<>();
    private int transactions;

    StarvationTest() {
        for (int machine = 0; machine < MACHINES; machine++) {
            cell.machine("m" + machine, CORES, 0);
        }
        cell.apply(TestCell.submit("short", "short", 10_000, 1, 0, Command.SubmitMode.CREATE));
        fill();
    }

    // ---- the short tasks: a tenth ends each round, and new ones at once take all free amounts up to nine tenths of
    // the cell

    private void round() {
        List<Integer> ended = new ArrayList<>(running);
        ended.removeIf(index -> random.nextInt(10) != 0);
        running.removeAll(ended);
        ended.forEach(index -> cell.report("short", index, TaskState.FAILED));
        fill();
    }

    private void fill() {
        int wanted = MACHINES * CORES * 9 / 10 - running.size();
        Transaction.Builder builder = transaction("short");
        Draft draft = cell.view().draft();
        draft.clear();
        int index = cell.jobRow("short").group(0).nextPending(0);
        List<Integer> claimed = new ArrayList<>();
        for (int machine : shuffledMachines()) {
            for (int core = 0; core < CORES && claimed.size() < wanted; core++) {
                if (draft.fits(machine, Amounts.of(1))) {
                    draft.take(machine, Amounts.of(1));
                    builder.claim(cell.task("short", index), 1, machine);
                    claimed.add(index);
                    index = cell.jobRow("short").group(0).nextPending(index + 1);
                }
            }
        }
        if (!claimed.isEmpty()) {
            assertThat(cell.commit(builder).accepted()).isEqualTo(claimed.size());
            running.addAll(claimed);
        }
    }

    private List<Integer> shuffledMachines() {
        List<Integer> machines = new ArrayList<>();
        for (int slot = 0; slot < MACHINES; slot++) {
            machines.add(random.nextInt(machines.size() + 1), slot);
        }
        return machines;
    }

    private Transaction.Builder transaction(String scheduler) {
        return Transaction.builder(new TransactionId("t" + transactions++), scheduler)
                .basis(cell.version());
    }

    // ---- the gangs

    private void submitGang(String name, int count) {
        cell.apply(TestCell.submit(name, name, count, CORES, 0, Command.SubmitMode.CREATE));
    }

    private boolean isPlaced(String gang) {
        return cell.jobRow(gang).pending() == 0;
    }

    /** Claims the machines that are wholly free, for as many tasks as are pending. */
    private void claimFreeMachines(String gang, Atomicity atomicity) {
        Transaction.Builder builder = transaction(gang).atomicity(atomicity);
        int index = cell.jobRow(gang).group(0).nextPending(0);
        for (int machine = 0; machine < MACHINES && index >= 0; machine++) {
            if (cell.view().fits(machine, MACHINE) || atomicity == Atomicity.ALL_OR_NOTHING) {
                builder.claim(cell.task(gang, index), 1, machine);
                index = cell.jobRow(gang).group(0).nextPending(index + 1);
            }
        }
        if (builder.claims() > 0) {
            cell.commit(builder);
        }
    }

    private void holdMachines(String gang, int from, int count) {
        Transaction.Builder builder = transaction(gang);
        for (int machine = from; machine < from + count; machine++) {
            builder.hold(new HoldRequest(cell.jobRow(gang).id(), machine, MACHINE, 3_600_000));
        }
        assertThat(cell.commit(builder).results()).allMatch(result -> result.accepted());
    }

    private boolean hasAllItHolds(String gang, int from, int count) {
        for (int machine = from; machine < from + count; machine++) {
            boolean complete = cell.view().holdsOn(machine).stream()
                    .anyMatch(hold -> hold.job().orElseThrow().name().equals(gang) && hold.isComplete());
            if (!complete) {
                return false;
            }
        }
        return true;
    }

    private void claimHeld(String gang, int from, int count) {
        Transaction.Builder builder = transaction(gang).atomicity(Atomicity.ALL_OR_NOTHING);
        for (int index = 0; index < count; index++) {
            builder.claim(cell.task(gang, index), 1, from + index);
        }
        assertThat(cell.commit(builder).accepted()).isEqualTo(count);
    }

    private void finish(String gang, int count) {
        for (int index = 0; index < count; index++) {
            TaskId task = cell.task(gang, index);
            cell.apply(TestCell.report(task, 1, TaskState.RUNNING));
            cell.apply(TestCell.report(task, 1, TaskState.FINISHED));
        }
    }

    @Test
    void retryAllOrNothing_neverSucceeds() {
        submitGang("gang", 6);
        for (int round = 0; round < ROUNDS && !isPlaced("gang"); round++) {
            claimFreeMachines("gang", Atomicity.ALL_OR_NOTHING);
            round();
        }
        assertThat(cell.jobRow("gang").pending()).isEqualTo(6);
    }

    @Test
    void keepingWhatItGot_isNotEnoughForWholeMachines() {
        submitGang("gang", 6);
        for (int round = 0; round < ROUNDS && !isPlaced("gang"); round++) {
            claimFreeMachines("gang", Atomicity.INCREMENTAL);
            round();
        }
        assertThat(isPlaced("gang")).isFalse();
    }

    /**
     * Tasks as large as the free amounts: where whole machines are not needed, the kept claims finally cover the gang.
     */
    @Test
    void keepingWhatItGot_isEnoughForHalfMachines() {
        Amounts half = Amounts.of(CORES / 2);
        cell.apply(TestCell.submit("gang", "gang", 2, CORES / 2, 0, Command.SubmitMode.CREATE));
        for (int round = 0; round < ROUNDS && !isPlaced("gang"); round++) {
            claimWhereFits("gang", half);
            round();
        }
        assertThat(isPlaced("gang")).isTrue();
        cell.view().checkTruths();
    }

    private void claimWhereFits(String gang, Amounts task) {
        Transaction.Builder builder = transaction(gang);
        int index = cell.jobRow(gang).group(0).nextPending(0);
        for (int machine = 0; machine < MACHINES && index >= 0; machine++) {
            if (cell.view().fits(machine, task)) {
                builder.claim(cell.task(gang, index), 1, machine);
                index = cell.jobRow(gang).group(0).nextPending(index + 1);
            }
        }
        if (builder.claims() > 0) {
            cell.commit(builder);
        }
    }

    @Test
    void hold_isGrantedInTheEnd() {
        submitGang("gang", 6);
        holdMachines("gang", 0, 6);
        int rounds = 0;
        while (!hasAllItHolds("gang", 0, 6)) {
            assertThat(++rounds).isLessThan(ROUNDS);
            round();
        }
        claimHeld("gang", 0, 6);
        assertThat(isPlaced("gang")).isTrue();
        cell.view().checkTruths();
    }

    @Test
    void twoGangsThatEachNeedMoreThanHalf_bothFinish() {
        submitGang("one", 7);
        submitGang("two", 7);
        holdMachines("one", 0, 7);
        holdMachines("two", 5, 7);
        untilItHolds("one", 0);
        claimHeld("one", 0, 7);
        round();
        finish("one", 7);
        untilItHolds("two", 5);
        claimHeld("two", 5, 7);
        finish("two", 7);
        assertThat(cell.jobRow("one").isEnded()).isTrue();
        assertThat(cell.jobRow("two").isEnded()).isTrue();
        cell.view().checkTruths();
    }

    private void untilItHolds(String gang, int from) {
        int rounds = 0;
        while (!hasAllItHolds(gang, from, 7)) {
            assertThat(++rounds).isLessThan(ROUNDS);
            round();
        }
    }
}
