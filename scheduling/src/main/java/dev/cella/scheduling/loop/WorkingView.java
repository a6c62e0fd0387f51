package dev.cella.scheduling.loop;

import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.host.FullMachines;
import dev.cella.scheduling.host.PoolDraft;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.Operator;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The view for plans: minus what the scheduler's own transactions in flight have reserved. It lends a plan its view and draft
 * until the plan has arrived. Owned by {@link SchedulerLoop}.
 */
final class WorkingView implements SleepingJobs.Room {
    private final InFlight inFlight;
    private final OwnOffers offers;
    private Surroundings surroundings;
    private CellView view;
    private Draft draft;
    private boolean draftIsStale = true;
    private final List<PlanningView> lent = new ArrayList<>();
    private final int place;
    private final String scheduler;
    private final List<Constraint> within;
    private final Musts musts;

    /**
     * @param within the configured machines to plan on, besides the scheduler's rights
     */
    WorkingView(
            int place,
            String scheduler,
            CellView view,
            InFlight inFlight,
            OwnOffers offers,
            Surroundings surroundings,
            List<Constraint> within) {
        this.place = place;
        this.scheduler = scheduler;
        this.within = within;
        this.musts = new Musts(within);
        this.inFlight = inFlight;
        this.offers = offers;
        this.surroundings = surroundings;
        this.view = view;
        this.draft = view.draft();
    }

    CellView view() {
        return view;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    /** Another copy of the cell replaces the view. */
    void replaced(CellView other) {
        view = other;
        draft = other.draft();
        draftIsStale = true;
        surroundings.index().replaced(other);
        freedAnywhere();
    }

    /** The machine may have more room than before, in the view or beside what is in flight. */
    void freed(int machine) {
        surroundings.full().ifPresent(full -> full.gained(machine));
    }

    /** Any machine may have more room than before. */
    void freedAnywhere() {
        surroundings.full().ifPresent(FullMachines::forget);
    }

    /** The view, what is in flight, or the use of the draft by a plan has changed. */
    void moved() {
        draftIsStale = true;
    }

    /** Returns whether the machine has the requested amounts now, after everything in flight. */
    @Override
    public boolean fits(int machine, Amounts shape, Musts ofJob) {
        Rights rights = view.rights(scheduler);
        return view.isReady(machine)
                && (!offers.takesPart() || !offers.on(view, machine).isNone())
                && view.mayUse(rights, machine)
                && freshDraft().fits(machine, shape)
                && musts.firstUnmet(view, machine).isEmpty()
                && ofJob.firstUnmet(view, machine).isEmpty();
    }

    /** Nothing where there is no ready machine: a refused claim of another history may name one that this cell does not have. */
    @Override
    public long free(int machine, int dimension) {
        return view.isReady(machine) ? freshDraft().free(machine, dimension) : 0;
    }

    @Override
    public String name(int machine) {
        return view.isReady(machine) ? view.machineName(machine) : "";
    }

    /** The limits of the pool and its ancestors. */
    List<Limits> limits(String path) {
        return PoolDraft.limited(view.pool(path)).stream().map(PoolRow::limits).toList();
    }

    /** What the limits of the pool and its ancestors leave, with everything in flight counted. */
    List<Long> quotaLeft(String path) {
        Optional<PoolRow> pool = view.pool(path);
        if (!PoolDraft.isLimited(pool)) {
            return List.of();
        }
        refreshDraft();
        return inFlight.pools().left(pool);
    }

    /** Returns whether some task of the job is pending and not in flight. */
    boolean hasTasksToPlan(OpenJob job) {
        return view.job(job.id).filter(inFlight::leavesPending).isPresent();
    }

    /** The amounts that the job's pending tasks ask for together, without those in flight. */
    Amounts asks(OpenJob job) {
        long[] asks = new long[view.dimensions().size()];
        for (GroupRow group : view.job(job.id).map(JobRow::groups).orElse(List.of())) {
            Amounts shape = group.header().shape();
            int pending = inFlight.tasks().pendingBeside(group);
            for (int dimension = 0; dimension < shape.size(); dimension++) {
                asks[dimension] += pending * shape.at(dimension);
            }
        }
        return Amounts.of(asks);
    }

    /** How many tasks of the job are pending and not in flight. */
    int tasksToPlan(OpenJob job) {
        return view.job(job.id).map(inFlight::pendingBeside).orElse(0);
    }

    /** Lends a plan its view. The plan's amounts stay on the draft until its turn ends: {@link #moved}. */
    PlanningView lend(TransactionStamp stamp) {
        Draft fresh = freshDraft();
        PlanningView whole =
                new PlanningView(place, view, fresh, inFlight.commitments(view), stamp, surroundingsOfPlan());
        PlanningView narrowed = narrowed(whole);
        lent.add(narrowed);
        return narrowed;
    }

    /** Offers come and go without a word about room. */
    private Surroundings surroundingsOfPlan() {
        return offers.takesPart() ? surroundings.with(Optional.empty()) : surroundings;
    }

    /** A scheduler plans on the machines that its rights, its own partition and its offers allow; mostly on all. */
    private PlanningView narrowed(PlanningView whole) {
        List<MachineRule> rules = whole.view().rights(scheduler).machines();
        PlanningView allowed = rules.isEmpty() && within.isEmpty() ? whole : whole.within(allowed(rules));
        return offers.takesPart() ? allowed.within(offers.machines(whole.view()), OwnOffers.OUTSIDE) : allowed;
    }

    private List<Constraint> allowed(List<MachineRule> rules) {
        List<Constraint> constraints = new ArrayList<>();
        for (MachineRule rule : rules) {
            Operator operator = Operator.valueOf(rule.operator().name());
            constraints.add(new Constraint(rule.attribute(), operator, rule.values()));
        }
        constraints.addAll(within);
        return constraints;
    }

    /**
     * Lends the same view on a copy of the cell, when there is one. The result shares nothing with this that changes, so
     * another thread may call it.
     */
    Function<CellView, PlanningView> lendLater(TransactionStamp stamp) {
        OwnOffers offered = offers.copy();
        WorkingView later =
                new WorkingView(place, scheduler, view, inFlight.copy(offered), offered, surroundings.on(view), within);
        return copy -> later.lendOn(copy, stamp);
    }

    private PlanningView lendOn(CellView copy, TransactionStamp stamp) {
        replaced(copy);
        return lend(stamp);
    }

    /** Takes back what a turn borrowed. */
    void returned(PlanningView view) {
        lent.remove(view);
        moved();
    }

    /**
     * The planner of an abandoned plan may still change the objects that it borrowed, so this takes new ones. Call this
     * before any other reaction to an event after {@link #lend}, because nobody knows when the planner stops.
     */
    void leaveWhatWasGivenUp() {
        if (!lent.isEmpty() && lent.removeIf(PlanningView::isGivenUp)) {
            lentForGood();
        }
    }

    private void lentForGood() {
        inFlight.retake();
        surroundings = surroundings.renewed(view);
        draft = view.draft();
        draftIsStale = true;
    }

    private Draft freshDraft() {
        refreshDraft();
        return draft;
    }

    private void refreshDraft() {
        if (draftIsStale) {
            draft.clear();
            inFlight.takeOn(draft, view);
            draftIsStale = false;
        }
    }
}
