package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlannedCell;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.host.Commitments;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.Operator;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A planner that is busy when its plan is given up can still finish its current step. */
class WorkingViewTest {
    private static final long ROOM = 1_000;
    private static final Musts NOTHING = new Musts(List.of());
    private static final TransactionStamp STAMP = new TransactionStamp("s", new SessionId(2), 1, 100);

    private final PlannedCell cell = new PlannedCell();
    private final int machine = cell.machine("m1", ROOM);
    private final JobRow job = cell.job(1, ROOM);
    private final OwnOffers offers = new OwnOffers(new SessionId(1), cell.view());
    private final WorkingView working = working(List.of());

    @Test
    void plannerThatWasGivenUp_changesNothingThatItsOwnerAsks() {
        PlanningView lent = lendAndClaim();
        lent.giveUp();
        working.leaveWhatWasGivenUp();
        assertThat(working.fits(machine, Amounts.of(ROOM), NOTHING)).isTrue();
        lent.undo();
        assertThat(working.fits(machine, Amounts.of(2 * ROOM), NOTHING)).isFalse();
    }

    @Test
    void planThatIsNotGivenUp_goesOnWithWhatItWasLent() {
        PlanningView lent = lendAndClaim();
        working.leaveWhatWasGivenUp();
        assertThat(working.fits(machine, Amounts.of(ROOM), NOTHING)).isFalse();
        lent.undo();
        assertThat(working.fits(machine, Amounts.of(ROOM), NOTHING)).isTrue();
    }

    @Test
    void viewOfAPartition_hasItsMachinesAlone_andSaysSo() {
        int left = cell.machine("left", ROOM, "part=left");
        int right = cell.machine("right", ROOM, "part=right");
        cell.change("right", Command.MachineChange.DRAIN);
        WorkingView part = working(List.of(Constraint.of("part", Operator.EQ, "left")));
        PlanningView lent = part.lend(STAMP);

        assertThat(lent.slots()).containsExactly(left);
        assertThat(part.fits(left, Amounts.of(ROOM), NOTHING)).isTrue();
        assertThat(part.fits(machine, Amounts.of(ROOM), NOTHING)).isFalse();
        assertThat(part.lendLater(STAMP).apply(cell.view()).slots()).containsExactly(left);
        assertThat(lent.pendingGroups(job.id()).get(0).explain().sentence())
                .contains("2 machines excluded by part=left, the part of its scheduler");
        assertThat(working(List.of(Constraint.of("part", Operator.EQ, "right")))
                        .lend(STAMP)
                        .slots())
                .as("a machine that takes no claims now is in its part all the same")
                .containsExactly(right);
    }

    @Test
    void partitionWithoutMachines_isReportedForEveryJob() {
        PlanningView lent =
                working(List.of(Constraint.of("part", Operator.EQ, "nowhere"))).lend(STAMP);

        assertThat(lent.slots()).isEmpty();
        assertThat(lent.pendingGroups(job.id()).get(0).explain().sentence())
                .isEqualTo("1 machine excluded by part=nowhere, the part of its scheduler");
    }

    /** Every plan on a part once left its view behind, and each event looked at all of them. */
    @Test
    void viewOfAPartitionThatCameBack_isNotKept() {
        WorkingView part = working(List.of(Constraint.of("part", Operator.EQ, "left")));
        Surroundings before = part.surroundings();
        PlanningView lent = part.lend(STAMP);
        part.returned(lent);
        lent.giveUp();
        part.leaveWhatWasGivenUp();

        assertThat(part.surroundings()).isSameAs(before);
    }

    /** A claim that was in flight when another history began may name one. */
    @Test
    void machineThatTheCellDoesNotHave_hasNothingFree() {
        assertThat(working.free(machine, 0)).isEqualTo(ROOM);
        assertThat(working.free(machine + 1_000_000, 0)).isZero();
    }

    /** It counts again when it takes back an eviction. */
    @Test
    void plannerThatWasGivenUp_countsInPoolsOfItsOwn() {
        cell.apply(new Command.PutPool("default", Limits.of(2 * ROOM)));
        InFlight inFlight = new InFlight(1, offers);
        Transaction claim = Transaction.builder(new TransactionId("claim"), "s")
                .claim(new TaskId(job.id(), 0, 0), 1, machine)
                .build();
        inFlight.add(new Proposal(0, claim), List.of());
        Commitments lent = inFlight.commitments(cell.view());
        inFlight.retake();
        lent.base().accept(cell.view().draft());

        PoolRow pool = cell.view().pool("default").orElseThrow();
        assertThat(lent.pools().counted(pool, 0)).isEqualTo(ROOM);
        assertThat(inFlight.pools().counted(pool, 0)).isZero();
    }

    private WorkingView working(List<Constraint> within) {
        return new WorkingView(
                0, "s", cell.view(), new InFlight(1, offers), offers, Surroundings.of(cell.view()), within);
    }

    private PlanningView lendAndClaim() {
        PlanningView lent = working.lend(STAMP);
        lent.pendingGroups(job.id()).get(0).claimNext(machine);
        return lent;
    }
}
