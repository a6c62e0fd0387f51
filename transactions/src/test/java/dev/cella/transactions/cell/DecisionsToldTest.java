package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.codec.ChangeReader;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The changes that describe a transaction's decision, from which the ledger is written. */
class DecisionsToldTest {
    private final TestCell cell = new TestCell();
    private final List<String> told = new ArrayList<>();
    private CellVersion basis = CellVersion.NONE;

    /** A machine for two tasks, one of which was placed after the basis. */
    @BeforeEach
    void place() {
        cell.machine("m", 2_000, 1_024);
        GroupHeader main = new GroupHeader("main", 5, Amounts.of(1_000), Restart.BATCH);
        GroupHeader more = new GroupHeader("more", 5, Amounts.of(1_000), Restart.BATCH);
        cell.apply(new Command.SubmitJob(
                TestCell.header("j", "batch", 1, 1, 1).withGroups(List.of(main, more)),
                Specification.EMPTY,
                Command.SubmitMode.CREATE));
        cell.job("k", 1, 1_000, 0);
        basis = cell.version();
        cell.place("j", 0, "m");
    }

    private Transaction.Builder transaction(Atomicity atomicity) {
        return cell.transaction("t").basis(basis).atomicity(atomicity);
    }

    private TaskId task(int group, int index) {
        return new TaskId(cell.jobRow("j").id(), group, index);
    }

    private void commit(Transaction.Builder transaction) {
        cell.cell.apply(cell.header(), new Command.CommitTransaction(transaction.build()));
        new ChangeReader(new IgnoredChanges() {
                    @Override
                    public void itemRefused(long job, int group, int index, int slot, ItemResult result) {
                        told.add("%s/%s/%s on %s: %s"
                                .formatted(
                                        nameOf(job),
                                        group,
                                        index,
                                        slot,
                                        result.reason().orElseThrow()));
                    }

                    @Override
                    public void jobTried(long job, int conflicts) {
                        told.add("%s tried, %s conflicts".formatted(nameOf(job), conflicts));
                    }

                    @Override
                    public void transactionDecided(
                            Verdict verdict, long basis, int accepted, int conflicted, int refused) {
                        told.add("%s, %s accepted, %s conflicts, %s refused"
                                .formatted(verdict, accepted, conflicted, refused));
                    }
                })
                .readFrames(cell.cell.takeChanges());
    }

    private String nameOf(long job) {
        return job == cell.jobRow("j").id().version() ? "j" : "k";
    }

    @Test
    void refusedClaims_areToldEach_andCountedByTheirJob() {
        int slot = cell.slot("m");
        commit(transaction(Atomicity.INCREMENTAL)
                .claim(task(0, 1), 1, slot)
                .claim(task(0, 2), 1, slot)
                .claim(task(1, 0), 1, slot)
                .claim(task(1, 9), 1, slot)
                .claim(cell.task("k", 0), 1, cell.view().machineSlots())
                .evict(new Eviction(task(1, 1), 1, OptionalInt.empty())));
        assertThat(told)
                .containsExactly(
                        "j/0/2 on 0: DOES_NOT_FIT",
                        "j/1/0 on 0: DOES_NOT_FIT",
                        "j/1/9 on 0: UNKNOWN_TASK",
                        "k/0/0 on -1: UNKNOWN_MACHINE",
                        "j tried, 2 conflicts",
                        "k tried, 0 conflicts",
                        "PARTIAL, 1 accepted, 2 conflicts, 3 refused");
    }

    @Test
    void whatAnotherItemFelled_isNeitherToldNorCounted() {
        int slot = cell.slot("m");
        commit(transaction(Atomicity.ALL_OR_NOTHING)
                .claim(task(0, 1), 1, slot)
                .claim(task(0, 2), 1, slot)
                .claim(task(0, 9), 1, slot));
        assertThat(told)
                .containsExactly(
                        "j/0/2 on 0: DOES_NOT_FIT",
                        "j/0/9 on 0: UNKNOWN_TASK",
                        "j tried, 1 conflicts",
                        "REJECTED, 0 accepted, 1 conflicts, 1 refused");
    }
}
