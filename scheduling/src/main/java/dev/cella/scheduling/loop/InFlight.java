package dev.cella.scheduling.loop;

import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.host.Commitments;
import dev.cella.scheduling.host.PoolDraft;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The transactions whose outcome the view of one cell does not show yet. Until then their items are reserved and are not
 * planned again: refused items, because the view still lacks the cause of the refusal, and unanswered ones, because they may
 * have been accepted. Owned by {@link SchedulerLoop}.
 */
final class InFlight {
    /**
     * A transaction that is no longer in flight. It has no outcome if another history replaced the cell's.
     *
     * @param askers the jobs whose turn asked for it
     */
    record Settled(Transaction transaction, List<JobKey> askers, Optional<Outcome> outcome) {}

    private static final class Sent {
        final Transaction transaction;
        final List<JobKey> askers;
        Optional<Outcome> outcome = Optional.empty();

        Sent(Transaction transaction, List<JobKey> askers) {
            this.transaction = transaction;
            this.askers = askers;
        }
    }

    /** The backlog that is normal while the cell keeps up: one entry of its log takes this many. */
    private static final long BACKLOG_USUAL = 100;

    private final int max;
    private final OwnOffers offers;
    private int plannedAhead;

    /** How many of the transactions carry progress. */
    private int remembering;

    private final Map<TransactionId, Sent> sent = new LinkedHashMap<>();
    private final Deque<Proposal> held = new ArrayDeque<>();
    private TaskSet tasks = new TaskSet();
    private PoolDraft pools = new PoolDraft();

    InFlight(int max, OwnOffers offers) {
        this.max = max;
        this.offers = offers;
        this.plannedAhead = max;
    }

    /**
     * Back-pressure: the larger the cell's backlog, the fewer transactions are planned ahead, down to one. A plan that waits
     * long for its decision conflicts more and gains no time.
     */
    void backlogTold(long transactions) {
        plannedAhead = (int) Math.max(1, max * BACKLOG_USUAL / Math.max(BACKLOG_USUAL, transactions));
    }

    /** How many transactions were submitted and are not settled. */
    int submitted() {
        return sent.size() - held.size();
    }

    /** Returns whether one more may be planned. */
    boolean hasRoom() {
        return sent.size() < plannedAhead;
    }

    boolean isInFlight(TransactionId transaction) {
        return sent.containsKey(transaction);
    }

    /**
     * Returns whether the job's progress is in flight. A plan that does not see it would overwrite it with what it knows.
     */
    boolean remembers(JobId job) {
        return remembering > 0
                && sent.values().stream()
                        .anyMatch(each -> each.transaction.progress().containsKey(job));
    }

    /** The tasks that transactions in flight claim. */
    TaskSet tasks() {
        return tasks;
    }

    /** What its claims add to the use of pools, as counted by {@link #takeOn} last. */
    PoolDraft pools() {
        return pools;
    }

    /** Reserves its items from now on. It is submitted when {@link #nextToSubmit} returns it. */
    void add(Proposal proposal, List<JobKey> askers) {
        Transaction transaction = proposal.transaction();
        held.add(proposal);
        sent.put(transaction.id(), new Sent(transaction, askers));
        remembering += transaction.progress().isEmpty() ? 0 : 1;
        speakFor(transaction);
    }

    /** What a plan must not ask for again. */
    Commitments commitments(CellView view) {
        PoolDraft counted = pools;
        Consumer<Draft> base = draft -> takeOn(draft, view, counted);
        if (sent.isEmpty()) {
            return new Commitments(tasks, Set.of(), Set.of(), counted, base);
        }
        Set<TaskId> ending = new HashSet<>();
        Set<JobId> holding = new HashSet<>();
        for (Sent each : sent.values()) {
            each.transaction.evictions().forEach(eviction -> ending.add(eviction.task()));
            each.transaction.steps().forEach(step -> ending.add(step.task()));
            each.transaction.holds().stream().filter(hold -> !hold.isOffer()).forEach(hold -> holding.add(hold.job()));
        }
        return new Commitments(tasks, ending, holding, counted, base);
    }

    /** The same for a plan on a copy of the cell, in parallel with the loop: it shares nothing with this. */
    InFlight copy(OwnOffers offered) {
        InFlight copy = new InFlight(max, offered);
        sent.values().forEach(each -> copy.add(new Proposal(0, each.transaction), each.askers));
        return copy;
    }

    private void speakFor(Transaction transaction) {
        for (int claim = 0; claim < transaction.claims(); claim++) {
            int reference = transaction.reference(claim);
            tasks.add(
                    transaction.referenceJob(reference),
                    transaction.referenceGroup(reference),
                    transaction.index(claim),
                    transaction.machine(claim));
        }
    }

    /** Replaces what plans change, the set of tasks and the use of pools: a planner may still be changing the former ones. */
    void retake() {
        pools = new PoolDraft();
        tasks = new TaskSet();
        sent.values().forEach(each -> speakFor(each.transaction));
    }

    /** The next one that may be submitted, in the order of planning. */
    Optional<Proposal> nextToSubmit() {
        return submitted() < max ? Optional.ofNullable(held.poll()) : Optional.empty();
    }

    /** How many tasks of the job are pending and not in flight. */
    int pendingBeside(JobRow job) {
        int pending = 0;
        for (GroupRow group : job.groups()) {
            pending += tasks.pendingBeside(group);
        }
        return pending;
    }

    /** Returns whether some task of the job is pending and not in flight. */
    boolean leavesPending(JobRow job) {
        for (GroupRow group : job.groups()) {
            if (tasks.nextPendingBeside(group, 0) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Records the outcome. Returns whether that transaction was in flight and unanswered. */
    boolean answered(Outcome outcome) {
        Sent answered = sent.get(outcome.id());
        if (answered == null || answered.outcome.isPresent()) {
            return false;
        }
        answered.outcome = Optional.of(outcome);
        return true;
    }

    /** The transactions whose outcome the view shows. They are no longer in flight. */
    List<Settled> settle(CellView view) {
        if (sent.isEmpty()) {
            return List.of();
        }
        List<Settled> settled = new ArrayList<>();
        for (Iterator<Sent> each = sent.values().iterator(); each.hasNext(); ) {
            Sent candidate = each.next();
            if (isShown(candidate, view)) {
                each.remove();
                held.removeIf(proposal -> proposal.transaction() == candidate.transaction);
                giveUp(candidate.transaction);
                settled.add(settled(candidate, view));
            }
        }
        return settled;
    }

    private static boolean isShown(Sent candidate, CellView view) {
        if (!candidate.transaction.incarnation().equals(view.incarnation())) {
            return true;
        }
        return candidate
                .outcome
                .filter(outcome -> !outcome.reason().equals(Optional.of(Reason.OTHER_INCARNATION)))
                .filter(outcome -> outcome.syncVersion().compareTo(view.version()) <= 0)
                .isPresent();
    }

    private static Settled settled(Sent candidate, CellView view) {
        boolean sameHistory = candidate.transaction.incarnation().equals(view.incarnation());
        return new Settled(candidate.transaction, candidate.askers, sameHistory ? candidate.outcome : Optional.empty());
    }

    private void giveUp(Transaction transaction) {
        remembering -= transaction.progress().isEmpty() ? 0 : 1;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            int reference = transaction.reference(claim);
            tasks.remove(
                    transaction.referenceJob(reference),
                    transaction.referenceGroup(reference),
                    transaction.index(claim));
        }
    }

    /**
     * Shows what is offered to the session on the draft, and takes everything in flight there: claims with their evictions,
     * evictions without a claim, steps, holds. A claim whose task the view no longer shows pending does not count twice,
     * nor does a task that has ended: the feed may be ahead of the answer.
     */
    void takeOn(Draft draft, CellView view) {
        takeOn(draft, view, pools);
    }

    private void takeOn(Draft draft, CellView view, PoolDraft counted) {
        counted.clear();
        offers.showOn(draft, view);
        for (Sent each : sent.values()) {
            Transaction transaction = each.transaction;
            takeSteps(draft, view, transaction);
            Map<Integer, List<TaskRow>> victims = takeEvictions(draft, view, transaction);
            for (int claim = 0; claim < transaction.claims(); claim++) {
                takeClaim(draft, view, transaction, claim, victims.getOrDefault(claim, List.of()));
            }
            countInPools(view, transaction, counted);
            for (HoldRequest hold : transaction.holds()) {
                if (view.machineExists(hold.machine())) {
                    draft.reserve(hold.machine(), hold.amounts());
                }
            }
        }
    }

    private static void takeSteps(Draft draft, CellView view, Transaction transaction) {
        for (Step step : transaction.steps()) {
            if (step.kind() != Step.Kind.AGAIN) {
                placed(view, step.task(), step.attempt()).ifPresent(task -> takeStep(draft, step.kind(), task));
            }
        }
    }

    private static void takeStep(Draft draft, Step.Kind kind, TaskRow task) {
        switch (kind) {
            case AGAIN, STOP, REPLACE -> draft.end(task);
            case UPGRADE -> {
                if (task.spare()) {
                    draft.take(task.machine().orElseThrow(), task.resources());
                }
            }
            case COPY -> {}
        }
    }

    /** Takes evictions without a claim at once. Returns the others by their claims. */
    private static Map<Integer, List<TaskRow>> takeEvictions(Draft draft, CellView view, Transaction transaction) {
        if (transaction.evictions().isEmpty()) {
            return Map.of();
        }
        Map<Integer, List<TaskRow>> victims = new HashMap<>();
        for (Eviction eviction : transaction.evictions()) {
            Optional<TaskRow> victim = placed(view, eviction.task(), eviction.attempt());
            if (victim.isPresent() && eviction.forClaim().isPresent()) {
                victims.computeIfAbsent(eviction.forClaim().getAsInt(), claim -> new ArrayList<>())
                        .add(victim.get());
            } else {
                victim.ifPresent(draft::end);
            }
        }
        return victims;
    }

    private static Optional<TaskRow> placed(CellView view, TaskId task, int attempt) {
        return view.task(task)
                .filter(row -> row.attempt() == attempt)
                .filter(row -> row.state() == TaskState.PLACED || row.state() == TaskState.RUNNING);
    }

    private static void takeClaim(
            Draft draft, CellView view, Transaction transaction, int claim, List<TaskRow> victims) {
        GroupRow group = group(view, transaction, transaction.reference(claim));
        int machine = transaction.machine(claim);
        ClaimKind kind = transaction.kind(claim);
        if (kind == ClaimKind.QUEUE
                || group == null
                || !group.isPending(transaction.index(claim))
                || !view.machineExists(machine)) {
            return;
        }
        if (kind == ClaimKind.SPARE) {
            draft.takeSpare(machine, claim, group.header().shape());
        } else if (victims.isEmpty()) {
            draft.take(machine, group.header().shape());
        } else {
            draft.takeOver(machine, group.header().shape(), victims);
        }
    }

    /** The group that a reference of the transaction names, if the view has it. */
    static @Nullable GroupRow group(CellView view, Transaction transaction, int reference) {
        int place = transaction.referenceGroup(reference);
        JobRow job = view.job(new JobId(transaction.referenceJob(reference))).orElse(null);
        return job == null || place >= job.groupCount() ? null : job.group(place);
    }

    private static void countInPools(CellView view, Transaction transaction, PoolDraft counted) {
        for (int reference = 0; reference < transaction.references(); reference++) {
            GroupRow group = group(view, transaction, reference);
            Optional<PoolRow> pool = group == null
                    ? Optional.empty()
                    : view.pool(group.job().header().pool());
            if (group != null && PoolDraft.isLimited(pool)) {
                counted.count(pool, group.header().shape(), pendingClaims(transaction, reference, group));
            }
        }
    }

    private static int pendingClaims(Transaction transaction, int reference, GroupRow group) {
        int count = 0;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            boolean counts = transaction.reference(claim) == reference
                    && transaction.kind(claim).takesRoom()
                    && group.isPending(transaction.index(claim));
            count += counts ? 1 : 0;
        }
        return count;
    }
}
