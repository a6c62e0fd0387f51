package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlannedCell;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.TransactionStamp;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A planner that is in the middle of something when its plan is given up still gets to the end of that. */
class WorkingViewTest {
    private static final long ROOM = 1_000;
    private static final Musts NOTHING = new Musts(List.of());
    private static final TransactionStamp STAMP = new TransactionStamp("s", new SessionId(2), 1, 100);

    private final PlannedCell cell = new PlannedCell();
    private final int machine = cell.machine("m1", ROOM);
    private final JobRow job = cell.job(1, ROOM);
    private final WorkingView working = new WorkingView(0, "s", cell.view(), new InFlight(1), Placements.ANYWHERE);

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

    private PlanningView lendAndClaim() {
        PlanningView lent = working.lend(STAMP);
        lent.pendingGroups(job.id()).get(0).claimNext(machine);
        return lent;
    }
}
