package dev.cella.scheduling;

import dev.cella.scheduling.placement.Domains;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.Draft;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/**
 * A cell as one plan sees it: the private replica, minus what the scheduler's transactions in flight have spoken for,
 * minus what this plan has claimed so far. "Engage scheduling agent to attempt to create task-resource assignments for
 * all tasks in job, modifying private cluster state in the process" (dissertation 6.2.1, step 3): claims are made here,
 * so the next claim of the plan sees them, and {@link #propose} makes transactions of them.
 *
 * <p>What fits is asked of {@link Draft}, the class that the commit asks, never computed beside it. A machine is a slot of
 * the {@link #view}. Belongs to one call of {@link Scheduler#plan} and its thread.
 */
public final class PlanningView implements AutoCloseable {
    /** A claim of this plan that is in no proposal yet, or in one: what of it the job had held before, and what it took beyond. */
    private record Claimed(GroupRow group, int index, int machine, Amounts held, Amounts taken) {}

    private final CellView view;
    private final Draft draft;
    private final TaskSet spokenFor;
    private final TransactionStamp stamp;
    private final Surroundings surroundings;
    private final List<Claimed> claimed = new ArrayList<>();
    private OwnHolds holds = OwnHolds.NONE;
    private int proposed;
    private int transactions;
    private volatile boolean givenUp;

    /**
     * A view in which everything spoken for is taken already.
     *
     * @param draft of {@code view}, with the amounts of claims in flight taken; this plan goes on taking
     * @param spokenFor the tasks of claims in flight; this plan adds its own until it is closed
     */
    public PlanningView(
            CellView view, Draft draft, TaskSet spokenFor, TransactionStamp stamp, Surroundings surroundings) {
        this.view = view;
        this.draft = draft;
        this.spokenFor = spokenFor;
        this.stamp = stamp;
        this.surroundings = surroundings;
    }

    /** The same where no job asks anything of machines. */
    public PlanningView(CellView view, Draft draft, TaskSet spokenFor, TransactionStamp stamp) {
        this(view, draft, spokenFor, stamp, Surroundings.of(view));
    }

    /**
     * Nobody waits for this plan any more: from now on whatever it asks here fails, so that a planner that goes round in
     * circles comes out of them. To be called from any thread.
     */
    public void giveUp() {
        givenUp = true;
    }

    /** Whether its planner may still be at work on what it was lent, while nobody waits for it. */
    public boolean isGivenUp() {
        return givenUp;
    }

    private void checkAwaited() {
        if (givenUp) {
            throw new IllegalStateException("this plan took too long and was given up");
        }
    }

    /** What the cell has committed, as far as the replica has seen it. */
    public CellView view() {
        checkAwaited();
        return view;
    }

    /** How many slots there are to look at; some may be empty, or not {@link #isReady}. */
    public int machines() {
        return view.machineSlots();
    }

    /** Whether there is a machine in the slot that takes claims. */
    public boolean isReady(int machine) {
        return view.isReady(machine);
    }

    /** What would be free on the machine now, for the job that is being planned: what it holds there is free to it. */
    public long free(int machine, int dimension) {
        checkAwaited();
        return draft.free(machine, dimension) + holds.on(machine).at(dimension);
    }

    /** Whether the machine takes claims and has room for one task of the shape. */
    public boolean fits(int machine, Amounts shape) {
        checkAwaited();
        return view.isReady(machine) && firstLacking(machine, shape) < 0;
    }

    /** The first dimension, in the order of the registry, in which the shape does not fit on the machine, or -1. */
    int firstLacking(int machine, Amounts shape) {
        return draft.firstLacking(machine, holds.isEmpty() ? shape : beyondHeld(machine, shape));
    }

    private Amounts beyondHeld(int machine, Amounts shape) {
        Amounts held = holds.on(machine);
        Amounts asked = shape.choosing(held.members());
        return asked.minus(held.min(asked));
    }

    /** From here on the plan is about this job, whose holds are its own. */
    void planFor(JobId job) {
        holds = view.job(job).map(row -> OwnHolds.of(view, row)).orElse(OwnHolds.NONE);
    }

    /** The machines on which the job that is being planned holds something, and has not claimed all of it. */
    int[] machinesHeld() {
        return holds.machines();
    }

    Amounts heldOn(int machine) {
        return holds.on(machine);
    }

    /** The groups of the job that have tasks left, in the job's order. */
    public List<PendingGroup> pendingGroups(JobId job) {
        return pendingGroups(job, UnaryOperator.identity());
    }

    /** The same for a planner that adds wishes of its own to what the job asks. */
    public List<PendingGroup> pendingGroups(JobId job, UnaryOperator<GroupPlacement> wishes) {
        checkAwaited();
        List<PendingGroup> pending = new ArrayList<>();
        for (GroupRow row : view.job(job).map(JobRow::groups).orElse(List.of())) {
            if (nextPending(row, 0) >= 0) {
                pending.add(new PendingGroup(this, row, wishes.apply(placement(row))));
            }
        }
        return pending;
    }

    /** What has to happen before it is worth to plan these tasks again. */
    List<Wake> wakes(Unplaced left) {
        if (left.isAtRunningMax()) {
            return List.of(new Wake.Ended(left.job()));
        }
        GroupPlacement placement = view.job(left.job())
                .map(job -> placement(job.group(left.group())))
                .orElse(GroupPlacement.ANYWHERE);
        Wake room = new Wake.Room(left.job(), left.asked(), placement.constraints());
        return placement.looksAtOthers() ? List.of(room, new Wake.Ended(left.job())) : List.of(room);
    }

    private GroupPlacement placement(GroupRow row) {
        return surroundings.placements().of(row.job()).group(row.place());
    }

    /**
     * Makes transactions of what was claimed since the last call, under the job's own rules: one, or if the claims stand
     * alone and are too many for one, several.
     */
    public List<Proposal> propose(JobHeader rules) {
        return propose(rules.atomicity(), rules.conflictRule());
    }

    public List<Proposal> propose(Atomicity atomicity, ConflictRule conflictRule) {
        Map<GroupRow, List<Claimed>> gangs = new LinkedHashMap<>();
        List<Claimed> alone = claimed.subList(proposed, claimed.size());
        if (atomicity == Atomicity.INCREMENTAL && hasGang(alone)) {
            List<Claimed> all = alone;
            alone = new ArrayList<>();
            for (Claimed each : all) {
                boolean isOfGang = needs(each.group) > 0;
                (isOfGang ? gangs.computeIfAbsent(each.group, group -> new ArrayList<>()) : alone).add(each);
            }
        }
        proposed = claimed.size();
        List<Proposal> proposals = new ArrayList<>();
        gangs.forEach((gang, claims) -> proposeTo(proposals, atomicity, conflictRule, claims, needs(gang)));
        proposeTo(proposals, atomicity, conflictRule, alone, atomicity == Atomicity.ALL_OR_NOTHING ? alone.size() : 0);
        return proposals;
    }

    /** Whether some of the claims may only be accepted together. */
    private boolean hasGang(List<Claimed> claims) {
        for (Claimed each : claims) {
            if (needs(each.group) > 0) {
                return true;
            }
        }
        return false;
    }

    /** @param together how many of the claims stand or fall together; they are in one transaction */
    private void proposeTo(
            List<Proposal> proposals,
            Atomicity atomicity,
            ConflictRule conflictRule,
            List<Claimed> claims,
            int together) {
        if (together > stamp.claimsMax()) {
            throw new IllegalStateException(
                    "a transaction has at most " + stamp.claimsMax() + " claims, not " + together);
        }
        for (int from = 0; from < claims.size(); from += stamp.claimsMax()) {
            int to = Math.min(claims.size(), from + stamp.claimsMax());
            Transaction.Builder transaction = stamp.begin(view, transactions++)
                    .atomicity(atomicity)
                    .conflictRule(conflictRule)
                    .expectClaims(to - from);
            if (from == 0 && atomicity == Atomicity.INCREMENTAL) {
                transaction.minClaims(together);
            }
            claims.subList(from, to).forEach(each -> add(transaction, each));
            proposals.add(new Proposal(view.name().orElseThrow(), transaction.build()));
        }
    }

    private static void add(Transaction.Builder transaction, Claimed claim) {
        JobRow job = claim.group.job();
        transaction.claim(job.id().version(), claim.group.place(), claim.index, job.generation(), claim.machine);
    }

    // ---- gangs

    /** How many tasks of the group have to be placed by one transaction, because none may start before so many are. */
    int needs(GroupRow group) {
        if (group.header().gang().isEmpty()) {
            return 0;
        }
        int started = group.header().count() - group.pending();
        return Math.max(0, group.header().gang().get().min() - started);
    }

    /** Whether what was decided about a gang that has not started is not known yet: nothing is to be added to it. */
    boolean waitsForGang(GroupRow group) {
        return needs(group) > 0 && spokenFor.pendingBeside(group) < group.pending();
    }

    /** The cell as it would be once every batch task has ended, and what that frees had gone to the holds that want it. */
    PlanningView onceBatchHasEnded() {
        Draft later = new Draft(view);
        later.clear();
        for (int machine = 0; machine < view.machineSlots(); machine++) {
            if (view.isReady(machine)) {
                later.give(machine, heldByBatch(machine));
            }
        }
        return new PlanningView(view, later, new TaskSet(), stamp, surroundings);
    }

    private Amounts heldByBatch(int machine) {
        List<Amounts> held = new ArrayList<>();
        view.forEachTaskOn(
                machine,
                task -> view.job(task.id().job())
                        .filter(job -> job.header().type() == JobType.BATCH)
                        .ifPresent(job -> held.add(task.resources())));
        return held.stream().reduce(Amounts.NONE, Amounts::plus);
    }

    /** A transaction that asks for these amounts, machine by machine, to be held for the job: for all of them or none. */
    Proposal proposeHolds(JobId job, Map<Integer, Amounts> wanted, long expiresAfterMillis) {
        Transaction.Builder transaction = stamp.begin(view, transactions++).atomicity(Atomicity.ALL_OR_NOTHING);
        wanted.forEach(
                (machine, amounts) -> transaction.hold(new HoldRequest(job, machine, amounts, expiresAfterMillis)));
        return new Proposal(view.name().orElseThrow(), transaction.build());
    }

    /** How many tasks of the group this plan has claimed machines for. */
    int claimsOf(GroupRow group) {
        return (int) claimed.stream().filter(each -> each.group == group).count();
    }

    /** Takes back what this plan claimed for the group, and has not proposed. */
    void undo(GroupRow group) {
        List<Claimed> undone = claimed.subList(proposed, claimed.size()).stream()
                .filter(each -> each.group == group)
                .toList();
        claimed.removeAll(undone);
        undone.forEach(this::undo);
    }

    /** Takes back what was claimed since the last call of {@link #propose}, where all or nothing became nothing. */
    public void undo() {
        while (claimed.size() > proposed) {
            undo(claimed.remove(claimed.size() - 1));
        }
    }

    /** How many claims are in no proposal yet. */
    public int unproposed() {
        return claimed.size() - proposed;
    }

    /** The most claims that fit into one transaction. */
    public int claimsMax() {
        return stamp.claimsMax();
    }

    void claim(GroupRow group, int index, int machine) {
        Amounts shape = group.header().shape();
        if (!fits(machine, shape)) {
            throw new IllegalStateException("the planner claims " + shape + " on " + view.machineName(machine)
                    + ", where it does not fit or which is not ready");
        }
        Amounts asked =
                holds.isEmpty() ? shape : shape.choosing(holds.on(machine).members());
        Amounts held = holds.isEmpty() ? Amounts.NONE : holds.take(machine, asked);
        Amounts taken = draft.take(machine, asked.minus(held));
        spokenFor.add(group.job().id().version(), group.place(), index, machine);
        claimed.add(new Claimed(group, index, machine, held, taken));
    }

    int nextPending(GroupRow group, int from) {
        checkAwaited();
        return spokenFor.nextPendingBeside(group, from);
    }

    int pending(GroupRow group) {
        return spokenFor.pendingBeside(group);
    }

    /** The machines that meet the group's constraints, by what it wishes. */
    Domains domains(GroupPlacement placement) {
        return surroundings.index().domains(placement);
    }

    /** The machine of each task of the group that is on one, or will be if the claim for it is accepted. */
    void forEachMachineOf(GroupRow group, IntConsumer machine) {
        for (int index = 0; index < group.header().count(); index++) {
            int slot = view.machineOf(group, index);
            if (slot >= 0) {
                machine.accept(slot);
            }
        }
        spokenFor.forEachMachineOfPending(group, machine);
    }

    /** How many machines {@link #forEachMachineOf} names, each as often as it does. */
    int onMachines(GroupRow group) {
        int[] count = new int[1];
        forEachMachineOf(group, machine -> count[0]++);
        return count[0];
    }

    /** The slots of the machines on which tasks of the group have failed so often that they are tried elsewhere. */
    BitSet avoidedBy(GroupRow group) {
        BitSet slots = new BitSet();
        surroundings
                .failed()
                .avoidedBy(group.job().id(), group.place())
                .forEach(machine -> view.findMachine(machine).ifPresent(slots::set));
        return slots;
    }

    Unplaced explain(PendingGroup group, GroupRow row, Exclusion exclusion) {
        return new Explanation(this, group).explain(row, exclusion);
    }

    /**
     * The plan is over: its tasks are spoken for from now on only as its transactions in flight do that, and the draft is
     * of no more use. Of one that was given up nothing is taken back, for what it worked on has been replaced.
     */
    @Override
    public void close() {
        if (!givenUp) {
            claimed.forEach(this::unspeakFor);
            claimed.clear();
        }
    }

    private void undo(Claimed claim) {
        draft.give(claim.machine, claim.taken);
        unspeakFor(claim);
        holds.give(claim.machine, claim.held);
    }

    private void unspeakFor(Claimed claim) {
        spokenFor.remove(claim.group.job().id().version(), claim.group.place(), claim.index);
    }
}
