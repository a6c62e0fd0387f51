package dev.cella.transactions.cell.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.TestCell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.naive.NaiveCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScaleRuleTest {
    private static final int OTHERS = 40_000;

    private static final String ACCEPTED = "accepted";
    private static final String REFUSED = Reason.BAD_COMMAND.name();

    private final TestCell cell = new TestCell();
    private final NaiveCell naive = new NaiveCell(CellLimits.STANDARD);
    private CommandResult naiveSaid =
            naive.apply(new Command.FoundCell(new CellName("test"), TestCell.INCARNATION), 1_000);

    private CommandResult scale(int group, int count) {
        return cell.apply(new Command.ScaleGroup(cell.jobRow("j").id(), group, count));
    }

    private static GroupHeader group(String name, int count) {
        return new GroupHeader(name, count, Amounts.of(1_000), Restart.BATCH);
    }

    @Test
    void scale_countsTheTasksOfAllGroups() {
        JobHeader header = TestCell.header("j", "batch", 1, 1, 1)
                .withGroups(List.of(group("one", 50_000), group("other", OTHERS)));
        cell.apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
        assertThat(scale(0, JobHeader.TASKS_MAX - OTHERS)).isInstanceOf(CommandResult.Done.class);
        assertThat(reason(scale(0, JobHeader.TASKS_MAX - OTHERS + 1))).isEqualTo(Reason.BAD_COMMAND);
        assertThat(reason(scale(2, 1))).isEqualTo(Reason.UNKNOWN_TASK);
        assertThat(cell.jobRow("j").pending()).isEqualTo(JobHeader.TASKS_MAX);
    }

    // ---- several scales of one transaction

    /** A job with these groups, in the cell and in the naive one. */
    private void job(int... counts) {
        List<GroupHeader> groups = new ArrayList<>();
        for (int count : counts) {
            groups.add(group("g" + groups.size(), count));
        }
        apply(new Command.RaiseFeatureLevel(EntryCodec.COPIES_LEVEL));
        JobHeader header = TestCell.header("j", "batch", 1, 1, 1).withGroups(groups);
        apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
    }

    private CommandResult apply(Command command) {
        naiveSaid = naive.apply(command, 1_000);
        return cell.apply(command);
    }

    private Scale scaleOf(int group, int count) {
        return new Scale(cell.jobRow("j").id(), group, 1, count, OptionalInt.empty());
    }

    /** The reason of each item, or that it was accepted. The naive cell has the same ones. */
    private List<String> commit(Transaction.Builder transaction) {
        Command command = new Command.CommitTransaction(transaction.build());
        Outcome outcome = ((CommandResult.Decided) apply(command)).outcome();
        List<String> reasons = reasons(outcome);
        assertThat(reasons(((CommandResult.Decided) naiveSaid).outcome())).isEqualTo(reasons);
        return reasons;
    }

    private static List<String> reasons(Outcome outcome) {
        List<String> reasons = new ArrayList<>();
        for (int item = 0; item < outcome.items(); item++) {
            reasons.add(outcome.result(item).reason().map(Reason::name).orElse(ACCEPTED));
        }
        return reasons;
    }

    private int tasks() {
        return cell.jobRow("j").header().tasks();
    }

    @Test
    void scales_ofOneTransaction_countTogether() {
        job(10, 10);
        List<String> reasons =
                commit(cell.transaction("t").scale(scaleOf(0, 60_000)).scale(scaleOf(1, 60_000)));
        assertThat(reasons).containsExactly(ACCEPTED, REFUSED);
        assertThat(tasks()).isEqualTo(60_010);
    }

    @Test
    void scales_thatTogetherAreTooMany_fellAWholeTransaction() {
        job(10, 10);
        commit(cell.transaction("t")
                .atomicity(Atomicity.ALL_OR_NOTHING)
                .scale(scaleOf(0, 60_000))
                .scale(scaleOf(1, 60_000)));
        assertThat(tasks()).isEqualTo(20);
    }

    @Test
    void scale_afterOneThatShrinks_hasItsRoom() {
        job(45_000, 45_000, 0);
        assertThat(commit(cell.transaction("t")
                        .scale(scaleOf(0, 55_000))
                        .scale(scaleOf(1, 35_000))
                        .scale(scaleOf(2, 10_000))))
                .containsExactly(ACCEPTED, ACCEPTED, ACCEPTED);
        assertThat(tasks()).isEqualTo(JobHeader.TASKS_MAX);
    }

    @Test
    void scale_beforeOneThatShrinks_hasNotYetItsRoom() {
        job(45_000, 45_000, 0);
        assertThat(commit(cell.transaction("t")
                        .scale(scaleOf(0, 55_000))
                        .scale(scaleOf(2, 10_000))
                        .scale(scaleOf(1, 35_000))))
                .containsExactly(ACCEPTED, REFUSED, ACCEPTED);
        assertThat(tasks()).isEqualTo(90_000);
    }

    @Test
    void scale_besideCopies_countsThem() {
        placedJob(2);
        List<String> reasons = commit(copying("t").scale(scaleOf(0, 99_998)));
        assertThat(reasons).containsExactly(ACCEPTED, ACCEPTED, ACCEPTED);
        assertThat(tasks()).isEqualTo(JobHeader.TASKS_MAX);
    }

    @Test
    void scale_besideCopiesThatItHasNoRoomFor_isRefused() {
        placedJob(2);
        assertThat(commit(copying("t").scale(scaleOf(0, 99_999)))).containsExactly(ACCEPTED, ACCEPTED, REFUSED);
        assertThat(tasks()).isEqualTo(4);
    }

    /** The copies go with the group that shrinks, and leave room for another one. */
    @Test
    void scale_thatEndsCopies_leavesTheirRoom() {
        placedJob(2, 0);
        assertThat(commit(copying("t").scale(scaleOf(0, 1)).scale(scaleOf(1, 99_998))))
                .containsExactly(ACCEPTED, ACCEPTED, ACCEPTED, ACCEPTED);
        assertThat(tasks()).isEqualTo(99_999);
    }

    /** The job with the first two tasks placed. */
    private void placedJob(int... counts) {
        job(counts);
        apply(new Command.PutMachine("m", Amounts.of(4_000, 0), new TreeMap<>(), Optional.empty(), false));
        for (int index = 0; index < 2; index++) {
            assertThat(commit(cell.transaction("place-" + index).claim(cell.task("j", index), 1, cell.slot("m"))))
                    .containsExactly(ACCEPTED);
        }
    }

    private Transaction.Builder copying(String id) {
        Transaction.Builder transaction = cell.transaction(id);
        for (int index = 0; index < 2; index++) {
            transaction.step(new Step(
                    Step.Kind.COPY, cell.task("j", index), cell.row("j", index).attempt()));
        }
        return transaction;
    }

    private static Reason reason(CommandResult result) {
        return ((CommandResult.Refused) result).reason();
    }
}
