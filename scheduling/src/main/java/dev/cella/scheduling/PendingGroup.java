package dev.cella.scheduling;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.Domains;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Rights;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one group that a plan has to place, one after another. Tasks in flight, tasks that this plan has claimed, and
 * tasks that {@code runningMax} keeps back are not among them. Belongs to one plan and its thread.
 *
 * <p>{@link #candidates} are the machines for them, by the group's placement. A planner that searches machines itself calls
 * {@link #takes}.
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
    private final Optional<String> waitsFor;
    private final GroupPlacement placement;
    private final Musts musts;
    private @Nullable Domains domains;
    private @Nullable Whereabouts whereabouts;
    private @Nullable Map<Integer, Integer> tasksByMachine;
    private @Nullable BitSet avoided;
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
        this.waitsFor = cell.waitsFor(row);
        this.isUnlimited = mayPlace && limited.isEmpty();
        this.next = waitsForGang() ? NO_TASK : find(0);
    }

    private void lookAtOthers() {
        domains = cell.domains(placement);
        Whereabouts known = new Whereabouts(placement, domains);
        cell.forEachMachineOf(row, known::add);
        whereabouts = known;
    }

    /** The job of its tasks. */
    JobId job() {
        return row.job().id();
    }

    public GroupHeader header() {
        return row.header();
    }

    /** The amounts that each task asks for. */
    public Amounts shape() {
        return row.header().shape();
    }

    /** What each task asks for of the named dimension, as in {@code cpuMilli}; 0 if the cell has no such dimension. */
    public long asks(String dimension) {
        int place = cell.view().dimensions().find(dimension);
        return place < 0 ? 0 : shape().at(place);
    }

    /** The group's placement: where its tasks may go and should preferably go. */
    public GroupPlacement placement() {
        return placement;
    }

    /** Returns whether its job holds amounts on some machine, which are free to it alone. */
    public boolean hasHolds() {
        return !holds.isEmpty();
    }

    /** Where the input of its tasks is. */
    public GroupInputs inputs() {
        return drafting.surroundings.placements().of(row.job()).inputs(row.place());
    }

    /** Where the input of the task at that index is; a copy reads what its task reads. */
    public TaskInputs inputsOf(int index) {
        return inputs().of(row.isOfCopies() ? row.copied(index) : index);
    }

    /** The machine on which the task runs that the one at that index copies; nothing if it copies none. */
    public OptionalInt machineBeside(int index) {
        int machine = row.isOfCopies() ? drafting.view.machineOf(row.original(), row.copied(index)) : -1;
        return machine < 0 ? OptionalInt.empty() : OptionalInt.of(machine);
    }

    // ---- its tasks

    /** Returns whether a task is left that {@code runningMax}, the quota and the scheduler's rights allow to be placed. */
    public boolean hasNext() {
        return next != NO_TASK
                && mayRun > 0
                && waitsFor.isEmpty()
                && (isUnlimited || (mayPlace && overQuota() == null));
    }

    /** The job's holds count in its pool already. Over its quota, a job can still claim what it holds. */
    private @Nullable OverQuota overQuota() {
        OverQuota over = limited.isEmpty() ? null : drafting.overQuota(limited, shape(), Amounts.NONE);
        return over == null || fitsHolds() ? null : over;
    }

    private boolean fitsHolds() {
        for (int machine : holds.machines()) {
            if (cell.fits(machine, shape(), holds)) {
                return true;
            }
        }
        return false;
    }

    private List<String> policyHelps() {
        return mayPlace && waitsFor.isEmpty() && holds.isEmpty()
                ? new Help(cell, this).inPools(limited, drafting)
                : List.of();
    }

    /** The reason that keeps its tasks back independently of machines, in the form of a pending task's reason. */
    Optional<Unplaced.Cause> policy() {
        if (waitsFor.isPresent()) {
            return waitsFor.map(groups -> new Unplaced.Cause(Unplaced.Kind.AFTER, groups, 0, ""));
        }
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
    public int place() {
        return row.place();
    }

    /** The index of the next task to place. */
    public int next() {
        if (!hasNext()) {
            throw new IllegalStateException("group " + row.header().name() + " has no more tasks to place");
        }
        return next;
    }

    /** The indexes of the next tasks to place, as {@link #next} will give them; at most {@code max}. */
    public int[] ahead(int max) {
        if (!hasNext()) {
            return new int[0];
        }
        int[] indexes = new int[Math.min(Math.min(max, mayRun), left())];
        int count = 0;
        for (int index = next; index != NO_TASK && count < indexes.length; index = find(index + 1)) {
            indexes[count++] = index;
        }
        return Arrays.copyOf(indexes, count);
    }

    /** Leaves the next task for another plan and goes on with the following one. */
    public void skipNext() {
        next = find(next() + 1);
    }

    /** How many tasks are left to place, including those that {@code runningMax} keeps back. */
    public int left() {
        return cell.pending(row);
    }

    /** Claims the machine for the next task. {@link #takes} must be true for it. */
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
     * Claims the machine for the next task, and evicts the victims for that claim, which takes over what they hold. The claim
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

    /**
     * Puts the next task into the queues of these machines, where it waits and holds nothing. The first of them with room
     * starts it. At most 8 machines, which would have room if nothing else were there.
     */
    public void queueNext(List<Integer> machines) {
        if (!mayQueue()) {
            throw new IllegalStateException(
                    "the planner queues a task of " + row.job().name()
                            + ", whose tasks depend on each other's places or start together: they are placed at once");
        }
        if (machines.isEmpty() || machines.size() > QueueRow.ROWS_A_TASK_MAX) {
            throw new IllegalStateException(
                    "the planner queues a task of " + row.job().name() + " on " + machines.size() + " machines; 1 to "
                            + QueueRow.ROWS_A_TASK_MAX + " are possible");
        }
        machines.forEach(this::checkTakes);
        int index = next();
        machines.forEach(machine -> cell.queueChecked(row, index, machine));
        claimed(machines.get(0));
    }

    /**
     * Returns whether its tasks may wait in queues. The tasks of a gang must start together. With {@code distinct} or {@code
     * together} a task's machines depend on those of the others, which nobody knows before they start.
     */
    public boolean mayQueue() {
        return header().gang().isEmpty()
                && placement.distinct().isEmpty()
                && placement.together().isEmpty();
    }

    /**
     * Places the next task in what the machine's other work leaves. It ends first when that work needs the room. {@link
     * #fitsSpare} must be true for the machine.
     */
    public void spareNext(int machine) {
        checkTakes(machine);
        if (!fitsSpare(machine)) {
            throw new IllegalStateException("the planner places a task of "
                    + row.job().name() + " as spare work on " + cell.view().machineName(machine)
                    + ", where it does not fit as such or which is not ready");
        }
        drafting.add(new DraftedItem.Claimed(ClaimKind.SPARE, row, next(), machine));
        claimed(machine);
    }

    /**
     * Returns whether its tasks may be spare work: the cell knows it, they start one by one, and ask for no member of a set,
     * which has one owner at a time.
     */
    public boolean maySpare() {
        return cell.view().featureLevel() >= EntryCodec.SPARE_LEVEL
                && header().gang().isEmpty()
                && IntStream.range(0, shape().size())
                        .noneMatch(place -> shape().at(place) > 0
                                && cell.view().dimensions().isSet(place));
    }

    /** Returns whether the next task fits on the machine as spare work, beside the spare tasks that are there. */
    public boolean fitsSpare(int machine) {
        return maySpare()
                && mayGo(machine)
                && drafting.draft.firstLackingSpare(
                                machine, shape(), drafting.rights().sparePercentMax())
                        < 0;
    }

    /** Returns whether the group's tasks should avoid the machine, because too many of them failed there. */
    public boolean avoids(int machine) {
        BitSet known = avoided;
        if (known == null) {
            known = cell.avoidedBy(row);
            avoided = known;
        }
        return known.get(machine);
    }

    /**
     * Returns whether the next task would fit on the machine if nothing else were there. Only such a machine has a queue
     * for it.
     */
    public boolean mayWaitOn(int machine) {
        return mayGo(machine) && cell.couldEverFit(machine, shape());
    }

    /** Returns whether the next task would fit on the machine with the victims' amounts. */
    public boolean fitsEvicting(int machine, List<TaskRow> victims) {
        return cell.isReady(machine) && drafting.draft.firstLackingBeside(machine, shape(), victims) < 0;
    }

    /** The same for victims that hold these amounts together. */
    boolean fitsEvicting(int machine, Amounts held) {
        return cell.isReady(machine) && drafting.draft.firstLackingBeside(machine, shape(), held) < 0;
    }

    /** Returns whether the scheduler may evict the task for a claim of this group. */
    public boolean mayEvict(TaskRow task) {
        Optional<JobRow> victim = cell.view().job(task.id().job());
        return victim.isPresent() && mayEvict(task, victim.get());
    }

    /** The same for a task of that job. */
    boolean mayEvict(TaskRow task, JobRow victim) {
        return !drafting.isEnding(task.id()) && mayEvictOf(victim);
    }

    /** Returns whether the scheduler may evict tasks of that job for a claim of this group. */
    boolean mayEvictOf(JobRow victim) {
        return switch (drafting.rights().evicts()) {
            case NOTHING -> false;
            case OWN -> victim.header().scheduler().equals(drafting.scheduler());
            case LOWER -> victim.header().priority() < row.job().header().priority();
            case ANY -> true;
        };
    }

    /**
     * Never its own job. One that is as important or more only if the rights say that it may evict any; of this scheduler's own
     * jobs even then only a younger one of the same priority, because two of its jobs would evict each other forever.
     */
    boolean mayPreempt(JobRow victim) {
        JobRow own = row.job();
        if (victim == own || !mayEvictOf(victim)) {
            return false;
        }
        int difference =
                Integer.compare(victim.header().priority(), own.header().priority());
        if (difference < 0) {
            return true;
        }
        boolean isOwn = victim.header().scheduler().equals(drafting.scheduler());
        return drafting.rights().evicts() == Rights.Evicts.ANY
                && (!isOwn
                        || (difference == 0 && victim.id().version() > own.id().version()));
    }

    /** The highest priority of a job that {@link #mayPreempt} may allow; -1 if it allows none. */
    int preemptsUpTo() {
        return switch (drafting.rights().evicts()) {
            case NOTHING -> -1;
            case OWN, LOWER -> row.job().header().priority() - 1;
            case ANY -> JobHeader.PRIORITY_MAX;
        };
    }

    /** Returns whether a task may go to the machine, whatever is free there. */
    boolean mayGo(int machine) {
        return cell.isReady(machine) && !isApart(machine) && firstUnmet(machine).isEmpty();
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

    /** A machine that a planner found itself may break a must, and the commit would not notice. */
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

    /**
     * How many tasks of the group are on the machine, including those in flight and those that this plan has claimed.
     */
    public int tasksOn(int machine) {
        if (tasksByMachine == null) {
            Map<Integer, Integer> counted = new HashMap<>();
            cell.forEachMachineOf(row, each -> counted.merge(each, 1, Integer::sum));
            tasksByMachine = counted;
        }
        return tasksByMachine.getOrDefault(machine, 0);
    }

    // ---- machines for them

    /** The machines for the next tasks, in the group's order of preference; {@code choice} decides among equals. */
    public Candidates candidates(Choice choice, SplittableRandom random) {
        Drawing drawing = new Drawing(cell, shape(), choice, this::hasRoom, random);
        BitSet avoided = cell.avoidedBy(row);
        boolean isForRoomAlone = holds.isEmpty() && avoided.isEmpty() && !choice.comparesAll();
        return new Candidates(drawing, avoided, taking -> pool(taking, isForRoomAlone), machine -> offered = machine);
    }

    /** Claims candidates for its tasks while there are both. */
    public void place(Choice choice, SplittableRandom random) {
        Candidates candidates = candidates(choice, random);
        int machine = hasNext() ? candidates.next() : Candidates.NONE;
        while (machine != Candidates.NONE) {
            claimNext(machine);
            machine = hasNext() ? candidates.next() : Candidates.NONE;
        }
    }

    private MachinePool pool(Drawing drawing, boolean isForRoomAlone) {
        MachinePool wished = wishedPool(drawing, isForRoomAlone);
        return holds.isEmpty() ? wished : new HeldFirst(holds, drawing, wished);
    }

    private MachinePool wishedPool(Drawing drawing, boolean isForRoomAlone) {
        if (placement.isAnywhere()) {
            return isForRoomAlone ? cell.drawn(drawing) : drawing.pool(cell.members());
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

    /** Returns whether the machine has room for the next task and the group's placement allows it. */
    public boolean takes(int machine) {
        return hasRoom(machine) && firstUnmet(machine).isEmpty();
    }

    /** As {@link #takes}, for a machine that is known to meet the constraints. */
    private boolean hasRoom(int machine) {
        return hasFit(machine) && !isApart(machine);
    }

    private boolean hasFit(int machine) {
        return cell.fits(machine, shape(), holds);
    }

    private boolean isApart(int machine) {
        return whereabouts != null && (whereabouts.distinctRoom(machine) < 1 || whereabouts.isApart(machine));
    }

    // ---- explanations

    /** The first constraint that keeps every task of the group off the machine, even if it were empty. */
    Optional<Constraint> firstUnmet(int machine) {
        return musts.firstUnmet(cell.view(), machine);
    }

    /**
     * The reason that keeps the next task off the machine because of the places of other tasks, in the job's words.
     */
    Optional<String> whyApart(int machine) {
        if (whereabouts == null || !isApart(machine)) {
            return Optional.empty();
        }
        return whereabouts.distinctRoom(machine) < 1
                ? placement.distinct().map(Distinct::text)
                : placement.together().map(attribute -> "together " + attribute);
    }

    /**
     * How many tasks must be placed at once before the gang may start; 0 if it has started, and while it has claims that are not
     * decided, also those of this plan.
     */
    int gangLacks() {
        return undecided() > 0 || waitsFor.isPresent() ? 0 : drafting.needs(row);
    }

    /** How many more tasks the gang needs to start, beside the claims of this plan; 1 for other groups. */
    int neededNext() {
        return Math.max(1, drafting.needs(row) - drafting.claimsOf(row));
    }

    /**
     * Returns whether a start of the gang is under way: nothing may be added to it. Claims that this plan has not proposed yet are
     * no start under way, so more may join them.
     */
    private boolean waitsForGang() {
        return drafting.needs(row) > 0 && undecided() > drafting.unproposed(row);
    }

    /** How many of its tasks are pending and claimed, by this plan or in flight. */
    private int undecided() {
        return row.pending() - drafting.inFlight.tasks().pendingBeside(row);
    }

    /**
     * How many of this plan's claims must be in one transaction with its next claim: those that start a gang, or all of a job that
     * wants all of its tasks at once.
     */
    int claimsTogether() {
        if (row.job().header().atomicity() == Atomicity.ALL_OR_NOTHING) {
            return drafting.unproposed(job());
        }
        return drafting.needs(row) > 0 ? drafting.unproposed(row) : 0;
    }

    /** Returns whether this plan has claimed machines for a gang, and for too few to start it. They are taken back after the plan. */
    public boolean hasPartOfGang() {
        return drafting.hasPartOfGang(row);
    }

    /**
     * Takes back the plan's claims for a gang if they are too few to start it, and explains that. A quota that keeps the rest of
     * it back has room for the next task again after that.
     */
    Optional<Unplaced> undoPartOfGang() {
        if (!hasPartOfGang()) {
            return Optional.empty();
        }
        int claims = drafting.claimsOf(row);
        int needs = drafting.needs(row);
        Optional<Unplaced.Cause> policy = policy();
        List<String> helps = policy.isPresent() ? policyHelps() : List.of();
        drafting.undo(row);
        if (policy.isPresent()) {
            return Optional.of(keptBack(policy.get(), helps));
        }
        Optional<String> why =
                Optional.of("a gang that needs " + needs + " at once, of which " + claims + " have room");
        return Optional.of(explain(machine -> why));
    }

    /** Returns whether tasks are left only because {@code runningMax} of the group are on machines. */
    boolean isAtRunningMax() {
        return mayRun <= 0;
    }

    /** Explains, from the machines, why the remaining tasks were not placed. */
    public Unplaced explain() {
        return explain(Exclusion.NONE);
    }

    /** The same for a planner whose policy keeps tasks off machines on which they would fit. */
    public Unplaced explain(Exclusion exclusion) {
        Optional<Unplaced.Cause> policy = policy();
        return policy.isPresent() ? keptBack(policy.get(), policyHelps()) : cell.explain(this, row, exclusion);
    }

    private Unplaced keptBack(Unplaced.Cause policy, List<String> helps) {
        return new Unplaced(
                row.job().id(),
                row.place(),
                left(),
                shape(),
                List.of(policy),
                Optional.empty(),
                false,
                cell.place(),
                helps);
    }
}
