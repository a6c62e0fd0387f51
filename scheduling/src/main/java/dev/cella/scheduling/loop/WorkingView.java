package dev.cella.scheduling.loop;

import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Surroundings;
import dev.cella.scheduling.TransactionStamp;
import dev.cella.scheduling.placement.MachineIndex;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.Draft;
import dev.cella.transactions.model.Amounts;
import java.util.Optional;

/**
 * The view as plans are made on it: minus what the scheduler's own transactions in flight have spoken for. What a plan is
 * given to work on is lent from here, until the plan is there. Owned by {@link SchedulerLoop}.
 */
final class WorkingView {
    private final InFlight inFlight;
    private Surroundings surroundings;
    private CellView view;
    private Draft draft;
    private boolean draftIsStale = true;
    private Optional<PlanningView> lent = Optional.empty();

    WorkingView(CellView view, InFlight inFlight, Placements placements) {
        this.inFlight = inFlight;
        this.surroundings = Surroundings.of(view, placements);
        this.view = view;
        this.draft = new Draft(view);
    }

    CellView view() {
        return view;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    /** Another copy of the cell takes the place of the view. */
    void replaced(CellView other) {
        view = other;
        draft = new Draft(other);
        draftIsStale = true;
        surroundings.index().replaced(other);
    }

    /** The view, what is in flight, or whether a plan has the draft, is no longer what it was. */
    void moved() {
        draftIsStale = true;
    }

    /** Whether the machine has what is asked now, with everything in flight counted. */
    boolean fits(int machine, Amounts shape, Musts musts) {
        return view.isReady(machine)
                && freshDraft().fits(machine, shape)
                && musts.firstUnmet(view, machine).isEmpty();
    }

    /** Whether some task of the job is pending and not in flight. */
    boolean hasTasksToPlan(OpenJob job) {
        return view.job(job.id).filter(inFlight::leavesPending).isPresent();
    }

    /** How many tasks of the job are pending and not in flight. */
    int tasksToPlan(OpenJob job) {
        return view.job(job.id).map(inFlight::pendingBeside).orElse(0);
    }

    /** What a plan works on until it is there. What it takes on the draft stays there until its turn ends: {@link #moved}. */
    PlanningView lend(TransactionStamp stamp) {
        PlanningView made = new PlanningView(view, freshDraft(), inFlight.tasks(), stamp, surroundings);
        lent = Optional.of(made);
        return made;
    }

    /**
     * A planner whose plan was given up may go on changing what it was lent: takes others instead. To be said before
     * anything else of what happens after {@link #lend}, as it is not known when the planner stops.
     */
    void leaveWhatWasGivenUp() {
        if (lent.filter(PlanningView::isGivenUp).isPresent()) {
            lent = Optional.empty();
            lentForGood();
        }
    }

    private void lentForGood() {
        inFlight.takeTasksAnew();
        surroundings = surroundings.withIndex(new MachineIndex(view));
        draft = new Draft(view);
        draftIsStale = true;
    }

    private Draft freshDraft() {
        if (draftIsStale) {
            draft.clear();
            inFlight.takeOn(draft, view);
            draftIsStale = false;
        }
        return draft;
    }
}
