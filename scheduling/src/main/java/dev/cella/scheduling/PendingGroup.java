package dev.cella.scheduling;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.Domains;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.cell.PoolRow;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.GroupHeader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one group that a plan has to place, one after another. Tasks that are in flight, or that this plan has
 * claimed, are no longer among them, nor are those that {@code runningMax} keeps back. Belongs to one plan and its thread.
 *
 * <p>{@link #candidates} are the machines for them, with the group's placement taken in. A planner that looks at machines
 * by itself asks {@link #takes}.
 */
public final class PendingGroup {
    private static final int NO_TASK = -1;

    private final PlanningView cell;
    private final Drafting drafting;
    private final GroupRow row;
    private final OwnHolds holds;
    private final List<PoolRow> limited;
    private final boolean mayPlace;
    private final boolean isUnlimited;
    private final GroupPlacement placement;
    private final Musts musts;
    private @Nullable Domains domains;
    private @Nullable Whereabouts whereabouts;
    private @Nullable Map<Integer, Integer> tasksByMachine;
    private int mayRun;
    private int offered = Candidates.NONE;
    private int next;

    PendingGroup(PlanningView cell, Drafting drafting, GroupRow row, GroupPlacement placement) {
        this.cell = cell;
        this.drafting = drafting;
        this.row = row;
        this.holds = drafting.holdsOf(row.job().id());
        this.limited = cell.limited(row.job().header());
        this.mayPlace = drafting.rights()
                .mayPlace(row.job().header().priority(), row.job().header().pool());
        this.placement = placement;
        this.musts = new Musts(placement.constraints());
        if (placement.looksAtOthers()) {
            lookAtOthers();
        }
        int runningMax = header().runningMax();
        this.mayRun = runningMax == 0 ? Integer.MAX_VALUE : runningMax - cell.onMachines(row);
        this.isUnlimited = mayPlace && limited.isEmpty();
        this.next = waitsForGang() ? NO_TASK : find(0);
    }

    private void lookAtOthers() {
        domains = cell.domains(placement);
        Whereabouts known = new Whereabouts(placement, domains);
        cell.forEachMachineOf(row, known::add);
        whereabouts = known;
    }

    public GroupHeader header() {
        return row.header();
    }

    /** What each of its tasks asks. */
    public Amounts shape() {
        return row.header().shape();
    }

    /** Where its tasks may go, and would rather go. */
    public GroupPlacement placement() {
        return placement;
    }

    /** Where the input of its tasks is. */
    public GroupInputs inputs() {
        return drafting.surroundings.placements().of(row.job()).inputs(row.place());
    }

    // ---- its tasks

    /** Whether there is a task left that may be placed: by {@code runningMax}, the quota and the scheduler's rights. */
    public boolean hasNext() {
        return next != NO_TASK && mayRun > 0 && (isUnlimited || (mayPlace && overQuota() == null));
    }

    /** What the job holds counts in its pool already. */
    private @Nullable OverQuota overQuota() {
        return limited.isEmpty() || !holds.isEmpty() ? null : drafting.overQuota(limited, shape());
    }

    /** What keeps its tasks back whatever the machines have, as the reason of a pending task. */
    Optional<Unplaced.Cause> policy() {
        if (!mayPlace) {
            String what = "the rights of " + drafting.scheduler() + ": priority "
                    + row.job().header().priority() + " in pool "
                    + row.job().header().pool();
            return Optional.of(new Unplaced.Cause(Unplaced.Kind.RIGHTS, what, 0, ""));
        }
        return Optional.ofNullable(overQuota())
                .map(over -> new Unplaced.Cause(Unplaced.Kind.QUOTA, over.text(), 0, ""));
    }

    /** Its place in the job's list of groups. */
    int place() {
        return row.place();
    }

    /** The index of the next task to place. */
    public int next() {
        if (!hasNext()) {
            throw new IllegalStateException("group " + row.header().name() + " has no more tasks to place");
        }
        return next;
    }

    /** Leaves the next task for another plan and goes on with the one after it. */
    public void skipNext() {
        next = find(next() + 1);
    }

    /** How many tasks are left to place, those included that {@code runningMax} keeps back. */
    public int left() {
        return cell.pending(row);
    }

    /** Claims the machine, which {@link #takes} it, for the next task. */
    public void claimNext(int machine) {
        if (machine != offered) {
            checkTakes(machine);
        }
        if (!hasFit(machine)) {
            throw new IllegalStateException("the planner claims " + shape() + " on "
                    + (cell.view().machineExists(machine) ? cell.view().machineName(machine) : "slot " + machine)
                    + ", where it does not fit or which is not ready");
        }
        drafting.claim(row, next(), machine, holds, limited);
        claimed(machine);
    }

    /**
     * Claims the machine for the next task, and evicts the victims for that claim: it takes over what they hold. The claim
     * waits until they have ended. They must be on that machine, and the scheduler must have the right to evict them.
     */
    public void claimEvicting(int machine, List<TaskRow> victims) {
        checkTakes(machine);
        victims.forEach(victim -> checkMayEvict(machine, victim));
        if (victims.size() >= cell.claimsMax() || !fitsEvicting(machine, victims)) {
            throw new IllegalStateException("the planner claims " + shape() + " on "
                    + cell.view().machineName(machine) + ", where it does not fit even without its "
                    + victims.size() + " victims, or which is not ready");
        }
        drafting.claimEvicting(row, next(), machine, victims, limited);
        claimed(machine);
    }

    /** Whether the next task would fit on the machine if the victims there handed over what they hold. */
    public boolean fitsEvicting(int machine, List<TaskRow> victims) {
        return cell.isReady(machine) && drafting.draft.firstLackingBeside(machine, shape(), victims) < 0;
    }

    /** Whether the scheduler may evict the task for a claim of this group. */
    public boolean mayEvict(TaskRow task) {
        Optional<JobRow> victim = cell.view().job(task.id().job());
        return victim.isPresent()
                && !drafting.isEnding(task)
                && switch (drafting.rights().evicts()) {
                    case NOTHING -> false;
                    case OWN -> victim.get().header().scheduler().equals(drafting.scheduler());
                    case LOWER ->
                        victim.get().header().priority() < row.job().header().priority();
                    case ANY -> true;
                };
    }

    private void checkMayEvict(int machine, TaskRow victim) {
        if (victim.machine().orElse(Candidates.NONE) != machine || !mayEvict(victim)) {
            throw new IllegalStateException("the planner evicts " + victim.text() + " for a claim on "
                    + cell.view().machineName(machine) + ": it is not there, ends already, or may not be evicted by "
                    + drafting.scheduler());
        }
    }

    private void claimed(int machine) {
        if (whereabouts != null) {
            whereabouts.add(machine);
        }
        if (tasksByMachine != null) {
            tasksByMachine.merge(machine, 1, Integer::sum);
        }
        mayRun--;
        next = find(next + 1);
    }

    /** What a planner found by itself may break a must, which the commit would not notice. */
    private void checkTakes(int machine) {
        Optional<String> excluded = outside(machine)
                .or(() -> whyApart(machine))
                .or(() -> firstUnmet(machine).map(Constraint::text));
        if (excluded.isPresent()) {
            throw new IllegalStateException("the planner claims " + cell.view().machineName(machine)
                    + ", which is excluded by " + excluded.get());
        }
    }

    private Optional<String> outside(int machine) {
        return cell.isWithin(machine) ? Optional.empty() : Optional.of("the machines it was narrowed to");
    }

    private int find(int from) {
        return cell.nextPending(row, from);
    }

    /** How many tasks of the group are on the machine, those in flight and those that this plan has claimed included. */
    public int tasksOn(int machine) {
        if (tasksByMachine == null) {
            Map<Integer, Integer> counted = new HashMap<>();
            cell.forEachMachineOf(row, each -> counted.merge(each, 1, Integer::sum));
            tasksByMachine = counted;
        }
        return tasksByMachine.getOrDefault(machine, 0);
    }

    // ---- machines for them

    /** The machines for the next tasks, in the order in which the group wants them; {@code choice} is among equals. */
    public Candidates candidates(Choice choice, SplittableRandom random) {
        Drawing drawing = new Drawing(cell, shape(), choice, this::hasRoom, random);
        return new Candidates(drawing, cell.avoidedBy(row), this::pool, machine -> offered = machine);
    }

    /** Claims candidates for its tasks as long as there are both. */
    public void place(Choice choice, SplittableRandom random) {
        Candidates candidates = candidates(choice, random);
        int machine = hasNext() ? candidates.next() : Candidates.NONE;
        while (machine != Candidates.NONE) {
            claimNext(machine);
            machine = hasNext() ? candidates.next() : Candidates.NONE;
        }
    }

    private MachinePool pool(Drawing drawing) {
        MachinePool wished = wishedPool(drawing);
        return holds.isEmpty() ? wished : new HeldFirst(holds, drawing, wished);
    }

    private MachinePool wishedPool(Drawing drawing) {
        if (placement.isAnywhere()) {
            return drawing.pool(cell.members());
        }
        Domains classes = domains == null ? cell.domains(placement) : domains;
        Whereabouts known = whereabouts == null ? new Whereabouts(placement, classes) : whereabouts;
        if (placement.together().isPresent() && known.together() == Domains.NO_VALUE) {
            TogetherChoice choice = new TogetherChoice(cell, shape(), classes, known, drawing.takes());
            known.choose(choice.choose(left(), drawing.random()));
        }
        int tasks = header().runningMax() == 0 ? header().count() : Math.min(header().count(), header().runningMax());
        Worth worth = new Worth(classes, known, tasks, placement.spreads().size());
        return new WishedMachines(drawing, classes, worth, place -> !known.isApart(classes.machines(place)[0]));
    }

    /** Whether the machine has room for the next task, and the group's placement lets it go there. */
    public boolean takes(int machine) {
        return hasRoom(machine) && firstUnmet(machine).isEmpty();
    }

    /** The same for a machine of which it is known that it meets the constraints. */
    private boolean hasRoom(int machine) {
        return hasFit(machine) && !isApart(machine);
    }

    private boolean hasFit(int machine) {
        return cell.fits(machine, shape(), holds);
    }

    private boolean isApart(int machine) {
        return whereabouts != null && (whereabouts.distinctRoom(machine) < 1 || whereabouts.isApart(machine));
    }

    // ---- why not

    /** The first constraint that keeps every task of the group off the machine, whatever is free there. */
    Optional<Constraint> firstUnmet(int machine) {
        return musts.firstUnmet(cell.view(), machine);
    }

    /** What keeps the next task off the machine because of where the others are, as the job says it. */
    Optional<String> whyApart(int machine) {
        if (whereabouts == null || !isApart(machine)) {
            return Optional.empty();
        }
        return whereabouts.distinctRoom(machine) < 1
                ? placement.distinct().map(Distinct::text)
                : placement.together().map(attribute -> "together " + attribute);
    }

    /** How many tasks have to be placed at once before the gang may start; 0 where it has, or where that is under way. */
    int gangLacks() {
        return waitsForGang() ? 0 : drafting.needs(row);
    }

    /** Whether what was decided about a gang that has not started is not known yet: nothing is to be added to it. */
    private boolean waitsForGang() {
        return drafting.needs(row) > 0 && drafting.inFlight.tasks().pendingBeside(row) < row.pending();
    }

    /** Takes back what the plan claimed for a gang, if that is not enough of it to start, and says so. */
    Optional<Unplaced> undoPartOfGang() {
        int claims = drafting.claimsOf(row);
        int needs = drafting.needs(row);
        if (claims == 0 || claims >= needs) {
            return Optional.empty();
        }
        drafting.undo(claim -> claim.group() == row);
        Optional<String> why =
                Optional.of("a gang that needs " + needs + " at once, of which " + claims + " have room");
        return Optional.of(explain(machine -> why));
    }

    /** Whether tasks are left only because {@code runningMax} of the group are on machines. */
    boolean isAtRunningMax() {
        return mayRun <= 0;
    }

    /** Why the tasks that are left were not placed, as the machines have it. */
    public Unplaced explain() {
        return explain(Exclusion.NONE);
    }

    /** The same for a planner whose policy keeps tasks off machines on which they would fit. */
    public Unplaced explain(Exclusion exclusion) {
        Optional<Unplaced.Cause> policy = policy();
        return policy.isPresent()
                ? new Unplaced(
                        row.job().id(),
                        row.place(),
                        left(),
                        shape(),
                        List.of(policy.get()),
                        Optional.empty(),
                        false,
                        cell.place())
                : cell.explain(this, row, exclusion);
    }
}
