package dev.cella.scheduling;

import dev.cella.scheduling.host.Commitments;
import dev.cella.scheduling.host.PoolDraft;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Domains;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.MachineSet;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cell as one plan sees it: the private replica, minus what the scheduler's transactions in flight have reserved, minus what
 * this plan has drafted so far. "Engage scheduling agent to attempt to create task-resource assignments for all tasks in job,
 * modifying private cluster state in the process" (dissertation 6.2.1, step 3): a plan drafts items here, so the next item of
 * the plan sees them, and they become transactions when the plan returns.
 *
 * <p>A plan can draft a claim ({@link PendingGroup#claimNext(int)}), a claim that evicts ({@link PendingGroup#claimEvicting}),
 * an eviction without a claim ({@link #evict}), a hold ({@link #hold}), a step ({@link #stop}, {@link #replace}, {@link
 * #again}), a scale ({@link #scale}), a place in a machine's queue ({@link PendingGroup#queueNext}, {@link #queue}), an
 * offer ({@link #offer}) or its end ({@link #rescind}), and progress of a job ({@link #remember}). An impossible item
 * throws at once, with the reason.
 *
 * <p>{@link Draft}, the class that the commit uses, decides what fits; nothing is computed beside it. A machine is a slot of
 * the {@link #view}. Belongs to one call of {@link Scheduler#plan} and its thread.
 */
public final class PlanningView implements AutoCloseable {
    private static final String ITS_MACHINES = "the machines its scheduler plans on";
    private static final long ROOM_SEED = 1;

    private final Drafting drafting;
    private final @Nullable MachineSet within;
    private final String outside;
    private OwnHolds focus = OwnHolds.NONE;

    /**
     * A view in which everything in flight is taken already.
     *
     * @param place the place of the cell among those of the plan
     * @param draft a draft of {@code view} with the amounts in flight taken; this plan goes on taking
     */
    public PlanningView(
            int place,
            CellView view,
            Draft draft,
            Commitments inFlight,
            TransactionStamp stamp,
            Surroundings surroundings) {
        this(new Drafting(place, view, draft, inFlight, stamp, surroundings), null, ITS_MACHINES);
    }

    /** The view of the only cell, with nothing in flight but claims for these tasks. */
    public PlanningView(
            CellView view, Draft draft, TaskSet spokenFor, TransactionStamp stamp, Surroundings surroundings) {
        this(0, view, draft, Commitments.of(spokenFor), stamp, surroundings);
    }

    private PlanningView(Drafting drafting, @Nullable MachineSet within, String outside) {
        this.drafting = drafting;
        this.within = within;
        this.outside = outside;
    }

    /**
     * Gives the plan up: from now on every call here fails, so that a planner in an endless loop leaves it. Any thread may
     * call this.
     */
    public void giveUp() {
        drafting.giveUp();
    }

    /** Returns whether the plan was given up. Its planner may still use the objects that it borrowed. */
    public boolean isGivenUp() {
        return drafting.isGivenUp();
    }

    // ---- the cell

    /** The place of the cell among those of the plan. */
    public int place() {
        return drafting.place;
    }

    /** The name of the scheduler that plans. */
    public String scheduler() {
        return drafting.scheduler();
    }

    /** The instance of the scheduler that plans, if the view shows its session. */
    public Optional<String> instance() {
        return drafting.view.session(drafting.session()).map(SessionRow::instance);
    }

    /** What the scheduler may do. */
    public Rights rights() {
        return drafting.rights();
    }

    /** The committed state, as far as the replica has received it. */
    public CellView view() {
        drafting.checkAwaited();
        return drafting.view;
    }

    // ---- narrowing

    /**
     * The same plan on some of the machines only: a partition, an offer. Drafts on either view are visible on both.
     * Candidates, domains and explanations use only these machines; tasks on others still count for {@code spread} and {@code
     * distinct}.
     */
    public PlanningView within(MachineSet machines) {
        return within(machines, ITS_MACHINES);
    }

    /** The same plan on the machines that meet these constraints. */
    public PlanningView within(List<Constraint> constraints) {
        String part = constraints.stream().map(Constraint::text).collect(Collectors.joining(" and "));
        return within(drafting.surroundings.index().machines(constraints), part + ", the part of its scheduler");
    }

    /** The same plan on some machines, with a text that explains to the owner of a job what excludes the others. */
    public PlanningView within(MachineSet machines, String text) {
        PlanningView narrowed = new PlanningView(drafting, within == null ? machines : within.and(machines), text);
        narrowed.focus = focus;
        return narrowed;
    }

    /** The machines that it is narrowed to, if any. */
    public Optional<MachineSet> machineSet() {
        return Optional.ofNullable(within);
    }

    // ---- machines

    /** The words with which a reason names machines outside of the view. */
    String outside() {
        return outside;
    }

    /** The number of slots to look at. Some may be empty, not {@link #isReady}, or outside of this view. */
    public int machines() {
        return drafting.view.machineSlots();
    }

    /** The slots of this view; some may be empty, or not {@link #isReady}. */
    public IntStream slots() {
        return within == null ? IntStream.range(0, machines()) : within.stream();
    }

    /**
     * The slots of this view's machines with that value of the attribute, ascending; some may be not {@link #isReady}. The cost
     * is proportional to the cell's machines with that value; the first call for an attribute also reads all machines.
     */
    public IntStream slotsWith(String attribute, String value) {
        drafting.checkAwaited();
        IntStream slots = IntStream.of(drafting.surroundings.index().slotsWith(attribute, value));
        return within == null ? slots : slots.filter(within::contains);
    }

    /** The slots to look at, or null for all of them. */
    int @Nullable [] members() {
        return within == null ? null : within.slots();
    }

    /** Returns whether the slot has a machine of this view that takes claims. */
    public boolean isReady(int machine) {
        return isWithin(machine) && drafting.view.isReady(machine);
    }

    /** Returns whether the slot is in this view, with or without a machine. */
    public boolean isWithin(int machine) {
        return within == null || within.contains(machine);
    }

    /** The free amount on the machine now. In a plan for one job, the job's own holds there count as free. */
    public long free(int machine, int dimension) {
        drafting.checkAwaited();
        return drafting.draft.free(machine, dimension) + focus.on(machine).at(dimension);
    }

    /** The same by the name of the dimension, as in {@code cpuMilli}; 0 if it does not exist. */
    public long free(int machine, String dimension) {
        int place = drafting.view.dimensions().find(dimension);
        return place < 0 ? 0 : free(machine, place);
    }

    public long capacity(int machine, String dimension) {
        int place = drafting.view.dimensions().find(dimension);
        return place < 0 ? 0 : drafting.view.capacity(machine, place);
    }

    /** Amounts by the names of their dimensions. An unknown name is refused. */
    public Amounts amounts(Map<String, Long> named) {
        long[] values = new long[drafting.view.dimensions().size()];
        named.forEach((name, value) -> {
            int place = drafting.view.dimensions().find(name);
            if (place < 0) {
                throw new IllegalArgumentException("the cell has no dimension " + name);
            }
            values[place] = value;
        });
        return Amounts.of(values);
    }

    /** Returns whether the machine takes claims and has room for one task of the shape. */
    public boolean fits(int machine, Amounts shape) {
        return fits(machine, shape, focus);
    }

    boolean fits(int machine, Amounts shape, OwnHolds own) {
        drafting.checkAwaited();
        return isWithin(machine) && drafting.fits(machine, shape, own);
    }

    /** Tells whether some machine has room for a task of the shape. The order of the search affects no placement. */
    public RoomLeft roomLeft(Amounts shape) {
        Drawing drawing = new Drawing(
                this,
                shape,
                Choice.FIRST_FIT,
                machine -> fits(machine, shape, OwnHolds.NONE),
                new SplittableRandom(ROOM_SEED));
        return new RoomLeft(this, shape, drawn(drawing));
    }

    /** The first dimension, in the order of the registry, in which the shape does not fit on the machine, or -1. */
    int firstLacking(int machine, Amounts shape) {
        return drafting.firstLacking(machine, shape, focus);
    }

    /** The tasks on the machine that hold amounts and that nobody has told to end, not even this plan. */
    public List<TaskRow> tasksOn(int machine) {
        drafting.checkAwaited();
        List<TaskRow> tasks = new ArrayList<>();
        drafting.view.forEachTaskOn(machine, task -> {
            if (isPlaced(task.state()) && !drafting.isEnding(task.id())) {
                tasks.add(task);
            }
        });
        return tasks;
    }

    /** The same tasks in the same order, without rows, which cost more than the rest of a look at the machine. */
    void forEachHoldingTaskOn(int machine, CellView.HoldingTask consumer) {
        drafting.checkAwaited();
        drafting.view.forEachHoldingTaskOn(machine, (group, index, state, amounts, placedVersion) -> {
            TaskId task = new TaskId(group.job().id(), group.place(), index);
            if (isPlaced(state) && !drafting.isEnding(task)) {
                consumer.holds(group, index, state, amounts, placedVersion);
            }
        });
    }

    private static boolean isPlaced(TaskState state) {
        return state == TaskState.PLACED || state == TaskState.RUNNING;
    }

    /** The tasks of the job that are on machines and that nobody has told to end, not even this plan. */
    public List<TaskRow> tasksOf(JobId job) {
        drafting.checkAwaited();
        List<TaskRow> tasks = new ArrayList<>();
        for (GroupRow group : groups(job)) {
            int left = group.onMachines();
            for (int index = 0; index < group.header().count() && left > 0; index++) {
                if (drafting.view.machineOf(group, index) >= 0) {
                    left--;
                    TaskRow task = drafting.view.task(group, index);
                    if (isPlaced(task.state()) && !drafting.isEnding(task.id())) {
                        tasks.add(task);
                    }
                }
            }
        }
        return tasks;
    }

    /** The tasks of any job that transactions in flight or this plan tell to end. The view may still show them on machines. */
    public Set<TaskId> ending() {
        drafting.checkAwaited();
        return drafting.ending();
    }

    private List<GroupRow> groups(JobId job) {
        return drafting.view.job(job).map(JobRow::groups).orElse(List.of());
    }

    /** From now on the plan is about this job only, so its holds are the job's own. */
    void planFor(JobId job) {
        focus = drafting.holdsOf(job);
    }

    OwnHolds holdsOf(JobId job) {
        return drafting.holdsOf(job);
    }

    // ---- pending tasks

    /** The groups of the job that have tasks left, in the job's order. */
    public List<PendingGroup> pendingGroups(JobId job) {
        return pendingGroups(job, UnaryOperator.identity());
    }

    /** The same for a planner that adds its own wishes to the job's. */
    public List<PendingGroup> pendingGroups(JobId job, UnaryOperator<GroupPlacement> wishes) {
        drafting.checkAwaited();
        List<PendingGroup> pending = new ArrayList<>();
        for (GroupRow row : groups(job)) {
            if (nextPending(row, 0) >= 0) {
                pending.add(new PendingGroup(this, drafting, row, wishes.apply(placement(row))));
            }
        }
        return pending;
    }

    /** The group's tasks that are on machines, for a planner that moves some of them and adds its own wishes to the job's. */
    public PlacedGroup placedGroup(GroupRow row, UnaryOperator<GroupPlacement> wishes) {
        drafting.checkAwaited();
        return new PlacedGroup(this, row, wishes.apply(placement(row)));
    }

    /**
     * What must happen before planning these tasks again is worthwhile: room for one, or what the explanation names.
     */
    public List<Wake> wakes(Unplaced left) {
        JobKey job = left.key();
        if (left.waitsForOwnTasks()) {
            return List.of(new Wake.On(job, Happening.ENDED));
        }
        if (left.isPolicy()) {
            return List.of(new Wake.On(job, Happening.POLICY));
        }
        GroupPlacement placement = drafting.view
                .job(left.job())
                .map(row -> placement(row.group(left.group())))
                .orElse(GroupPlacement.ANYWHERE);
        Wake room = new Wake.Room(job, left.asked(), placement.constraints());
        return placement.looksAtOthers() ? List.of(room, new Wake.On(job, Happening.ENDED)) : List.of(room);
    }

    /** When tasks of the group start, and how it is updated. */
    public GroupLife life(GroupRow row) {
        return drafting.surroundings.placements().of(row.job()).life(row.place());
    }

    private GroupPlacement placement(GroupRow row) {
        return drafting.surroundings.placements().of(row.job()).group(row.place());
    }

    // ---- drafting

    /**
     * Evicts the task, without a claim. A claim that needs the victim's amounts names it instead: {@link
     * PendingGroup#claimEvicting}.
     *
     * @param asking the job whose turn asks for it, and which gets the result
     */
    public void evict(JobId asking, TaskRow victim) {
        checkMayEnd(victim);
        boolean own = isOwn(victim.id().job());
        Rights.Evicts evicts = drafting.rights().evicts();
        if (evicts == Rights.Evicts.NOTHING || (evicts != Rights.Evicts.ANY && !own)) {
            throw new IllegalStateException("the planner evicts " + victim.text() + " without a claim, and "
                    + drafting.scheduler() + " may evict " + evicts);
        }
        drafting.add(new DraftedItem.Evicted(Optional.of(asking), victim));
    }

    /** Evicts the task in a round, in which no job asks. */
    public void evict(TaskRow victim) {
        checkMayEnd(victim);
        checkRights(drafting.rights().evicts() == Rights.Evicts.ANY, "evict " + victim.text() + " in a round");
        drafting.add(new DraftedItem.Evicted(Optional.empty(), victim));
    }

    private void checkRights(boolean allowed, String what) {
        if (!allowed) {
            throw new IllegalStateException(drafting.scheduler() + " may not " + what);
        }
    }

    /** Ends one of the scheduler's own tasks for good. */
    public void stop(TaskRow task) {
        step(Step.Kind.STOP, task);
    }

    /** Ends a task on a machine so that a newer attempt can replace it: the loop makes it pending again. */
    public void replace(TaskRow task) {
        step(Step.Kind.REPLACE, task);
    }

    private void step(Step.Kind kind, TaskRow task) {
        checkMayEnd(task);
        checkOwn(task.id().job());
        drafting.add(drafting.step(kind, task));
    }

    /** Makes an ended task pending again. The loop does that itself as the job's restart policy says. */
    public void again(TaskRow task) {
        checkOwn(task.id().job());
        if (!task.state().isEnded()) {
            throw new IllegalStateException("the planner tries " + task.text() + " again, which is " + task.state());
        }
        drafting.add(drafting.step(Step.Kind.AGAIN, task));
    }

    private void checkMayEnd(TaskRow task) {
        drafting.checkAwaited();
        if (!isPlaced(task.state()) || drafting.isEnding(task.id())) {
            throw new IllegalStateException(
                    "the planner ends " + task.text() + ", which is on no machine or told to end already");
        }
    }

    /** Sets the number of tasks in a group of the scheduler's own job. It is refused if others change the number before. */
    public void scale(JobId job, int group, int count) {
        checkOwn(job);
        JobRow row = drafting.view.job(job).orElseThrow();
        Optional<Reason> refused = drafting.view.refusedScale(row, group, count);
        if (refused.isPresent()) {
            throw new IllegalStateException("the planner gives group " + group + " of " + row.name() + " " + count
                    + " tasks: " + refused.get());
        }
        drafting.add(drafting.scale(row, group, count));
    }

    /** The machines in whose queues the task waits, by slot, oldest first. */
    public List<Integer> queuedOn(GroupRow group, int index) {
        drafting.checkAwaited();
        return drafting.view.queuedAt(group, index).stream().map(QueueRow::slot).toList();
    }

    /**
     * Puts a pending task of the scheduler's own job into the queue of one more machine, beside those in which it waits
     * already. {@link PendingGroup#queueNext} is for tasks that wait in none.
     */
    public void queue(GroupRow group, int index, int machine) {
        if (!mayWait(group, machine)) {
            throw new IllegalStateException("the planner queues task " + index + " of "
                    + group.job().name() + " on machine " + machine
                    + ": the machine is not ready, excluded by a constraint, or too small");
        }
        queueChecked(group, index, machine);
    }

    /**
     * Makes a spare task of the scheduler's own job a task like any other, where it is. {@link #mayUpgrade} must be true for it.
     */
    public void upgrade(TaskRow task) {
        checkOwn(task.id().job());
        if (!mayUpgrade(task)) {
            throw new IllegalStateException("the planner upgrades " + task.text()
                    + ", which is no spare work, ends, or has no room of its own on its machine");
        }
        drafting.add(new DraftedItem.Upgraded(task));
    }

    /** Returns whether the task is spare work that goes on, and its machine and its job's quota have room for it. */
    public boolean mayUpgrade(TaskRow task) {
        drafting.checkAwaited();
        return task.spare()
                && isPlaced(task.state())
                && !drafting.isEnding(task.id())
                && fits(task.machine().orElseThrow(), task.resources())
                && drafting.overQuota(limitedOf(task.id().job()), task.resources(), Amounts.NONE) == null;
    }

    /**
     * Asks for a copy of a running task of the scheduler's own job: a second attempt, which is pending in the job's group of
     * copies from the next plan on. The first to finish ends the other. {@link #mayCopy} must be true for it.
     */
    public void copy(TaskRow task) {
        checkOwn(task.id().job());
        if (!mayCopy(task)) {
            throw new IllegalStateException("the planner copies " + task.text()
                    + ", which does not run, has a copy, or is of a group whose tasks may have none");
        }
        drafting.add(new DraftedItem.Copied(task));
    }

    /**
     * Returns whether the task runs and may have a copy beside it: a batch task outside of gangs, which is replaced if it is
     * lost, and has no copy that goes on.
     */
    public boolean mayCopy(TaskRow task) {
        drafting.checkAwaited();
        CellView view = drafting.view;
        return view.featureLevel() >= EntryCodec.COPIES_LEVEL
                && isPlaced(task.state())
                && !drafting.isEnding(task.id())
                && view.mayCopy(task.id());
    }

    private List<PoolRow> limitedOf(JobId job) {
        return drafting.view.job(job).map(row -> limited(row.header())).orElse(List.of());
    }

    /** Returns whether a task of the group may wait in the machine's queue, as its constraints and its size say. */
    public boolean mayWait(GroupRow group, int machine) {
        return isReady(machine)
                && couldEverFit(machine, group.header().shape())
                && new Musts(placement(group).constraints())
                        .firstUnmet(drafting.view, machine)
                        .isEmpty();
    }

    /** The same for a machine whose constraints were checked. */
    void queueChecked(GroupRow group, int index, int machine) {
        checkOwn(group.job().id());
        if (!group.isPending(index) || !isReady(machine)) {
            throw new IllegalStateException(
                    "the planner queues task " + index + " of " + group.job().name() + " on machine " + machine
                            + ": the task is not pending, or the machine is not ready");
        }
        if (drafting.view.featureLevel() < EntryCodec.QUEUES_LEVEL) {
            throw new IllegalStateException("the planner queues a task, which needs feature level "
                    + EntryCodec.QUEUES_LEVEL + "; the cell is at level " + drafting.view.featureLevel()
                    + ": raise it with cella cell level " + EntryCodec.QUEUES_LEVEL);
        }
        drafting.add(new DraftedItem.Claimed(ClaimKind.QUEUE, group, index, machine));
    }

    /** Returns whether the scheduler may hold machines for its jobs. From feature level 11 on, one in offers may not. */
    public boolean mayHold() {
        boolean beyondOffers = drafting.view.featureLevel() >= EntryCodec.BOUNDED_HOLDS_LEVEL
                && drafting.view.takesOffers(drafting.scheduler());
        return rights().holds() && !beyondOffers;
    }

    /** Asks to hold amounts on a machine for the job. Until the hold has them, it gets what is freed there. */
    public void hold(JobId job, int machine, Amounts amounts, long expiresAfterMillis) {
        checkOwn(job);
        if (!drafting.view.machineExists(machine)) {
            throw new IllegalStateException("the planner holds machine " + machine + ", which is not there");
        }
        checkRights(mayHold(), "hold machines for a job");
        if (!couldEverFit(machine, amounts)) {
            throw new IllegalStateException("the planner holds " + amounts + " of machine "
                    + drafting.view.machineName(machine) + ", which is smaller");
        }
        drafting.add(drafting.hold(job, machine, amounts, expiresAfterMillis));
    }

    /** Offers amounts on a machine, all of which are free, to a session of another scheduler. */
    public void offer(SessionId to, int machine, Amounts amounts, long expiresAfterMillis) {
        drafting.checkAwaited();
        checkRights(drafting.rights().offers(), "offer machines to other schedulers");
        if (drafting.firstLacking(machine, amounts, OwnHolds.NONE) >= 0) {
            throw new IllegalStateException("the planner offers more of machine " + machine + " than is free there");
        }
        drafting.add(new DraftedItem.Offered(HoldRequest.offer(to, machine, amounts, expiresAfterMillis)));
    }

    /** Takes back an offer that the scheduler has made. */
    public void rescind(HoldRow offer) {
        drafting.checkAwaited();
        checkRights(offer.isOffer() && offer.origin().scheduler().equals(drafting.scheduler()), "rescind that offer");
        drafting.add(new DraftedItem.Rescinded(offer.offer()));
    }

    /** Stores progress of a job in the cell state, for the instance that plans it next. */
    public void remember(JobId job, Progress progress) {
        checkOwn(job);
        drafting.add(drafting.remember(job, progress));
    }

    private void checkOwn(JobId job) {
        drafting.checkAwaited();
        if (!isOwn(job)) {
            throw new IllegalStateException(
                    "the planner drafts for job " + job + ", which is not one of " + drafting.scheduler());
        }
    }

    private boolean isOwn(JobId job) {
        return drafting.view
                .job(job)
                .filter(row -> row.header().scheduler().equals(drafting.scheduler()))
                .isPresent();
    }

    /** Returns whether a transaction in flight or this plan requests a hold for the job. */
    public boolean asksHolds(JobId job) {
        return drafting.asksHolds(job);
    }

    // ---- proposals

    /**
     * Makes transactions from the job's drafts since the last call, under the job's own rules: one, or several if the items
     * are independent and too many for one. A plan's jobs are proposed automatically when it returns.
     */
    List<Proposal> propose(JobWork work, boolean onlyJob) {
        return drafting.propose(
                work.id(), onlyJob, work.job().atomicity(), work.job().conflictRule());
    }

    List<Proposal> propose(JobId job, Atomicity atomicity, ConflictRule conflictRule) {
        return drafting.propose(job, false, atomicity, conflictRule);
    }

    /** Makes transactions from everything drafted since the last call, under the rules of the job. */
    public List<Proposal> propose(JobHeader rules) {
        return propose(rules.atomicity(), rules.conflictRule());
    }

    public List<Proposal> propose(Atomicity atomicity, ConflictRule conflictRule) {
        return drafting.propose(atomicity, conflictRule);
    }

    /** Takes back the claims that are not in a proposal yet. */
    public void undo() {
        drafting.undo();
    }

    /** Takes back the job's claims that are not in a proposal yet. */
    public void undo(JobId job) {
        drafting.undo(job);
    }

    /**
     * Returns whether the plan's claims for the job cannot be committed as they are: it wants all of its tasks at once and some
     * are left, or a gang has too few to start. They are taken back after the plan. A planner that places several jobs takes
     * them back itself, to give the room to others.
     */
    public boolean hasOnlyParts(JobId job) {
        Optional<JobRow> row = drafting.view.job(job);
        boolean isPartOfAll = row.filter(each -> each.header().atomicity() == Atomicity.ALL_OR_NOTHING)
                        .isPresent()
                && unproposed(job) > 0
                && pending(job) > 0;
        return isPartOfAll || groups(job).stream().anyMatch(drafting::hasPartOfGang);
    }

    /** Takes back claims for the job that cannot be committed as they are, and explains each gang of which it took a part. */
    public List<Unplaced> undoParts(JobId job) {
        List<Unplaced> gangs = hasOnlyParts(job) ? undoPartsOfGangs(job) : List.of();
        if (hasOnlyParts(job)) {
            undo(job);
        }
        return gangs;
    }

    /** Takes back the plan's claims for gangs that are too few to start them, and explains those gangs. */
    List<Unplaced> undoPartsOfGangs(JobId job) {
        return pendingGroups(job).stream()
                .flatMap(group -> group.undoPartOfGang().stream())
                .toList();
    }

    /** How many claims are not in a proposal yet. */
    public int unproposed() {
        return drafting.unproposed();
    }

    /** Returns whether anything at all is in no proposal yet. */
    boolean hasUnproposed() {
        return drafting.hasUnproposed();
    }

    int unproposed(JobId job) {
        return drafting.unproposed(job);
    }

    /** Returns whether some task of the job gets a machine, or a place in a queue, by a draft that is in no proposal yet. */
    boolean asksForPlaces(JobId job) {
        return drafting.asksForPlaces(job);
    }

    Set<JobId> unproposedJobs() {
        return drafting.unproposedJobs();
    }

    /** The most items that fit into one transaction. */
    public int claimsMax() {
        return drafting.claimsMax();
    }

    // ---- gangs

    /**
     * The cell after every batch task has ended and the holds have taken what that frees. What holds have is free to no job, not
     * even to their own.
     */
    PlanningView onceBatchHasEnded() {
        Draft later = drafting.view.draft();
        later.clear();
        for (int machine = 0; machine < machines(); machine++) {
            if (isReady(machine)) {
                later.give(machine, heldByBatch(machine));
            }
        }
        return new PlanningView(drafting.withoutHoldsOn(later), within, outside);
    }

    private Amounts heldByBatch(int machine) {
        return drafting.view.heldOn(machine, job -> job.header().type() == JobType.BATCH);
    }

    // ---- for groups

    /** Returns whether the machine, with nothing else on it, would have room for the shape. */
    boolean couldEverFit(int machine, Amounts shape) {
        for (int dimension = 0; dimension < shape.size(); dimension++) {
            if (shape.at(dimension) > drafting.view.capacity(machine, dimension)) {
                return false;
            }
        }
        return true;
    }

    int nextPending(GroupRow group, int from) {
        drafting.checkAwaited();
        return drafting.inFlight.tasks().nextPendingBeside(group, from);
    }

    /** How many tasks of the job are left to place. */
    int pending(JobId job) {
        int pending = 0;
        for (GroupRow group : groups(job)) {
            pending += pending(group);
        }
        return pending;
    }

    /**
     * How many tasks of the group are left to place, without those in flight and those that this plan has claimed.
     */
    public int pending(GroupRow group) {
        return drafting.inFlight.tasks().pendingBeside(group);
    }

    /** The machines that meet the group's constraints, classified by its wishes. */
    Domains domains(GroupPlacement placement) {
        Domains all = drafting.surroundings.index().domains(placement);
        return within == null ? all : all.within(within);
    }

    /** Visits the machine of each task of the group that is on one, or will be if its claim is accepted. */
    void forEachMachineOf(GroupRow group, IntConsumer machine) {
        for (int index = 0; index < group.header().count(); index++) {
            int slot = drafting.view.machineOf(group, index);
            if (slot >= 0) {
                machine.accept(slot);
            }
        }
        drafting.inFlight.tasks().forEachMachineOfPending(group, machine);
    }

    /** How many machines {@link #forEachMachineOf} visits, with repetitions. */
    int onMachines(GroupRow group) {
        int[] count = new int[1];
        forEachMachineOf(group, machine -> count[0]++);
        return count[0];
    }

    /** The slots of the machines that tasks of the group should avoid, because too many of them failed there. */
    BitSet avoidedBy(GroupRow group) {
        BitSet slots = new BitSet();
        drafting.surroundings
                .failed()
                .avoidedBy(group.job().id(), group.place(), drafting.view.time())
                .forEach(machine -> drafting.view.findMachine(machine).ifPresent(slots::set));
        return slots;
    }

    /** The pools that limit the job. */
    List<PoolRow> limited(JobHeader job) {
        return PoolDraft.limited(drafting.view.pool(job.pool()));
    }

    /** The groups that have to finish before the group starts, and how far each is; nothing if it may start. */
    Optional<String> waitsFor(GroupRow group) {
        List<String> waits = new ArrayList<>();
        for (int place : life(group).after()) {
            GroupRow other = group.job().group(place);
            if (!isFinished(other)) {
                waits.add(other.header().name() + " (" + howFar(other) + ")");
            }
        }
        return waits.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", waits));
    }

    /** Its tasks are looked at one by one only when none of them has anything left to do. */
    private boolean isFinished(GroupRow group) {
        if (group.pending() > 0 || group.onMachines() > 0 || group.failedForGood() > 0) {
            return false;
        }
        for (int index = 0; index < group.header().count(); index++) {
            if (!drafting.view.isDone(group, index)) {
                return false;
            }
        }
        return true;
    }

    private static String howFar(GroupRow group) {
        int failed = group.failedForGood();
        String open =
                (group.pending() + group.onMachines()) + " of " + group.header().count() + " not over";
        return failed > 0 ? failed + " failed for good" : open;
    }

    /** Returns whether anything besides machines could keep tasks of the job back. */
    boolean mayKeepBack(JobId id, JobHeader job) {
        for (GroupRow group : groups(id)) {
            if (group.header().runningMax() > 0 || !life(group).after().isEmpty()) {
                return true;
            }
        }
        return !limited(job).isEmpty() || !drafting.rights().mayPlace(job.priority(), job.pool());
    }

    Unplaced explain(PendingGroup group, GroupRow row, Exclusion exclusion) {
        Explanation explanation = new Explanation(this, group);
        return switch (drafting.surroundings.explanations()) {
            case WITH_MACHINES -> explanation.explain(row, exclusion).in(place());
            case WITHOUT_MACHINES -> explanation.withoutMachines(row).in(place());
        };
    }

    /**
     * All machines of the view in a drawn order, for a group that asks for room alone. Those that earlier plans found full are
     * left out.
     */
    MachinePool drawn(Drawing drawing) {
        return new DrawnMachines(drawing, members(), drafting.search(drawing.shape(), within));
    }

    /**
     * The plan is over and returns the objects that it borrowed. A plan that was given up returns nothing, because what it
     * worked on has been replaced.
     */
    @Override
    public void close() {
        drafting.close();
    }
}
