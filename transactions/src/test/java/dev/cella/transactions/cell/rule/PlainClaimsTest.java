package dev.cella.transactions.cell.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.TestCell;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claims that pass at once, between others that do not. Both count in the same way. */
class PlainClaimsTest {
    private static final long CORE = 1_000;

    private final TestCell cell = new TestCell();

    private Transaction.Builder claims(String id, int... indexes) {
        Transaction.Builder claims = cell.transaction(id);
        for (int index : indexes) {
            claims.claim(cell.task("j", index), cell.generation("j"), cell.slot("m"));
        }
        return claims;
    }

    private static List<Optional<Reason>> reasons(Outcome outcome) {
        return outcome.results().stream().map(result -> result.reason()).toList();
    }

    @Test
    void quota_countsClaimsBeforeAndAfterOneThatIsRefused() {
        cell.machine("m", 64 * CORE, 64);
        cell.apply(new Command.PutPool("default", Limits.of(4 * CORE)));
        cell.job("j", 10, CORE, 0);
        Outcome outcome = cell.commit(claims("t", 0, 10, 1, 2, 10, 3, 4));
        Optional<Reason> accepted = Optional.empty();
        Optional<Reason> unknown = Optional.of(Reason.UNKNOWN_TASK);
        assertThat(reasons(outcome))
                .containsExactly(accepted, unknown, accepted, accepted, unknown, accepted, Optional.of(Reason.QUOTA));
    }

    @Test
    void runningMax_countsClaimsBeforeAndAfterOneThatIsRefused() {
        cell.machine("m", 64 * CORE, 64);
        GroupHeader group =
                new GroupHeader("main", 10, Amounts.of(CORE), Restart.BATCH, 4, 0, OnLost.WAIT, Optional.empty());
        cell.apply(new Command.SubmitJob(
                TestCell.header("j", "batch", 1, 1, 1).withGroups(List.of(group)),
                Specification.EMPTY,
                Command.SubmitMode.CREATE));
        Outcome outcome = cell.commit(claims("t", 0, 10, 1, 2, 10, 3, 4));
        assertThat(outcome.accepted()).isEqualTo(4);
        assertThat(outcome.result(6).reason()).contains(Reason.NOT_ALLOWED);
    }

    /** Claims that state their amounts take the slow path. */
    @Test
    void claimsThatSayAmounts_onOneMachineAfterAnother_areFittedEachOnItsOwn() {
        cell.machine("m", CORE, 64);
        cell.machine("n", 2 * CORE, 64);
        cell.job("j", 10, CORE, 0);
        Transaction.Builder claims = cell.transaction("t");
        int index = 0;
        for (String machine : List.of("m", "n", "m", "n", "m", "n")) {
            claims.claim(cell.task("j", index++), cell.generation("j"), cell.slot(machine))
                    .amounts(Amounts.of(CORE));
        }
        Optional<Reason> accepted = Optional.empty();
        Optional<Reason> full = Optional.of(Reason.DOES_NOT_FIT);
        assertThat(reasons(cell.commit(claims))).containsExactly(accepted, accepted, full, accepted, full, full);
    }

    @Test
    void claimsThatSayAmounts_onAMachineThatShrinksInWhatTheyDoNotAsk_areAccepted() {
        Amounts asked = Amounts.of(CORE, 0, 1);
        machine(Amounts.of(4 * CORE, 64, 2));
        cell.job("holder", 1, 0, 64);
        cell.place("holder", 0, "m");
        machine(Amounts.of(4 * CORE, 32, 2));
        cell.apply(new Command.SubmitJob(
                TestCell.header("j", "batch", 1, 1, 1)
                        .withGroups(List.of(new GroupHeader("main", 2, asked, Restart.BATCH))),
                Specification.EMPTY,
                Command.SubmitMode.CREATE));
        Transaction.Builder both = claims("t", 0).amounts(asked);
        both.claim(cell.task("j", 1), cell.generation("j"), cell.slot("m")).amounts(asked);
        assertThat(cell.commit(both).accepted()).isEqualTo(2);
    }

    private void machine(Amounts capacity) {
        cell.apply(new Command.PutMachine("m", capacity, new TreeMap<>(), Optional.empty(), true));
    }

    @Test
    void claim_thatSaysOtherAmounts_isNotAllowed() {
        cell.machine("m", 64 * CORE, 64);
        cell.job("j", 10, CORE, 0);
        Outcome outcome = cell.commit(claims("t", 0).amounts(Amounts.of(2 * CORE)));
        assertThat(outcome.result(0).reason()).contains(Reason.NOT_ALLOWED);
    }

    @Test
    void claim_onATaskThatTheTransactionStops_findsItNotPending() {
        cell.machine("m", 64 * CORE, 64);
        cell.job("j", 10, CORE, 0);
        Outcome outcome = cell.commit(claims("t", 0, 1).step(new Step(Step.Kind.STOP, cell.task("j", 0), 0)));
        assertThat(outcome.result(0).reason()).contains(Reason.TASK_NOT_PENDING);
        assertThat(outcome.isAccepted(1)).isTrue();
    }

    @Test
    void claim_takesFromItsJobsHoldFirst_soThatAnotherFindsWhatIsFree() {
        cell.machine("m", 2 * CORE, 64);
        cell.job("j", 10, CORE, 0);
        cell.job("other", 1, CORE, 0);
        cell.commit(cell.transaction("hold")
                .hold(new HoldRequest(cell.jobRow("j").id(), cell.slot("m"), Amounts.of(CORE), 60_000)));
        Outcome outcome =
                cell.commit(claims("t", 0).claim(cell.task("other", 0), cell.generation("other"), cell.slot("m")));
        assertThat(outcome.accepted()).isEqualTo(2);
    }

    @Test
    void row_ofManyClaims_isToldWhole() {
        cell.machine("m", 1_000 * CORE, 64);
        cell.job("j", 200, CORE, 0);
        Outcome outcome = cell.commit(claims("t", IntStream.range(0, 200).toArray()));
        assertThat(outcome.accepted()).isEqualTo(200);
        assertThat(cell.row("j", 199).placement().map(PlacementId::ordinal)).contains(199);
        assertThat(cell.replica.view().task(cell.task("j", 199))).contains(cell.row("j", 199));
    }
}
