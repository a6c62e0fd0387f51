package dev.cella.scheduling.loop;

import dev.cella.scheduling.Commitments;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.PoolDraft;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.TaskSet;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.Draft;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.cell.PoolRow;
import dev.cella.transactions.cell.TaskRow;
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
import org.jspecify.annotations.Nullable;

/**
 * The transactions whose outcome the view of one cell does not show yet. Until it does their items are spoken for, and
 * nothing about them is planned again: neither what was refused, because the view still lacks what it was refused for, nor what has no
 * answer, because it may have been accepted. Owned by {@link SchedulerLoop}.
 */
final class InFlight {
    /**
     * A transaction that is in flight no more. It has no outcome if the cell's history was replaced by another one.
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

    /** So many transactions may wait while the cell keeps up: one entry of its log takes them all. */
    private static final long BACKLOG_USUAL = 100;

    private final int max;
    private int plannedAhead;
    private final Map<TransactionId, Sent> sent = new LinkedHashMap<>();
    private final Deque<Proposal> held = new ArrayDeque<>();
    private TaskSet tasks = new TaskSet();
    private final PoolDraft pools = new PoolDraft();

    InFlight(int max) {
        this.max = max;
        this.plannedAhead = max;
    }

    /**
     * Back-pressure: the more waits at the cell, the fewer transactions are planned ahead, down to one. What was planned
     * long before it is decided conflicts more, and gets nobody's work done sooner.
     */
    void backlogTold(long transactions) {
        plannedAhead = (int) Math.max(1, max * BACKLOG_USUAL / Math.max(BACKLOG_USUAL, transactions));
    }

    /** How many transactions were submitted and are not settled. */
    int submitted() {
        return sent.size() - held.size();
    }

    /** Whether one more may be planned. */
    boolean hasRoom() {
        return sent.size() < plannedAhead;
    }

    /** The tasks that are claimed by what is in flight. */
    TaskSet tasks() {
        return tasks;
    }

    /** From now on its items are spoken for; it is submitted when {@link #nextToSubmit} comes to it. */
    void add(Proposal proposal, List<JobKey> askers) {
        Transaction transaction = proposal.transaction();
        held.add(proposal);
        sent.put(transaction.id(), new Sent(transaction, askers));
        speakFor(transaction);
    }

    /** What a plan may not ask for a second time. */
    Commitments commitments(CellView view) {
        if (sent.isEmpty()) {
            return new Commitments(tasks, Set.of(), Set.of(), pools, draft -> takeOn(draft, view));
        }
        Set<TaskId> ending = new HashSet<>();
        Set<JobId> holding = new HashSet<>();
        for (Sent each : sent.values()) {
            each.transaction.evictions().forEach(eviction -> ending.add(eviction.task()));
            each.transaction.steps().forEach(step -> ending.add(step.task()));
            each.transaction.holds().stream().filter(hold -> !hold.isOffer()).forEach(hold -> holding.add(hold.job()));
        }
        return new Commitments(tasks, ending, holding, pools, draft -> takeOn(draft, view));
    }

    /** The same for a plan that is made on a copy of the cell, beside the loop: it shares nothing with this. */
    InFlight copy() {
        InFlight copy = new InFlight(max);
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

    /** Another set of the same tasks takes the place of the one before, which somebody else may still be changing. */
    void takeTasksAnew() {
        tasks = new TaskSet();
        sent.values().forEach(each -> speakFor(each.transaction));
    }

    /** The next that may be submitted, in the order in which they were planned. */
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

    /** Whether some task of the job is pending and not in flight. */
    boolean leavesPending(JobRow job) {
        for (GroupRow group : job.groups()) {
            if (tasks.nextPendingBeside(group, 0) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether that transaction is in flight and was not answered before. */
    boolean answered(Outcome outcome) {
        Sent answered = sent.get(outcome.id());
        if (answered == null || answered.outcome.isPresent()) {
            return false;
        }
        answered.outcome = Optional.of(outcome);
        return true;
    }

    /** What the view shows the outcome of; from now on it is in flight no more. */
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
        for (int claim = 0; claim < transaction.claims(); claim++) {
            int reference = transaction.reference(claim);
            tasks.remove(
                    transaction.referenceJob(reference),
                    transaction.referenceGroup(reference),
                    transaction.index(claim));
        }
    }

    /**
     * Takes on the draft what is in flight: claims with their evictions, evictions and steps by themselves, holds. A claim
     * whose task the view no longer shows pending is not counted twice, nor is a task that has ended meanwhile: the feed may
     * be ahead of the answer.
     */
    void takeOn(Draft draft, CellView view) {
        pools.clear();
        for (Sent each : sent.values()) {
            Transaction transaction = each.transaction;
            takeSteps(draft, view, transaction);
            Map<Integer, List<TaskRow>> victims = takeEvictions(draft, view, transaction);
            for (int claim = 0; claim < transaction.claims(); claim++) {
                takeClaim(draft, view, transaction, claim, victims.getOrDefault(claim, List.of()));
            }
            countInPools(view, transaction);
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
                placed(view, step.task(), step.attempt()).ifPresent(draft::end);
            }
        }
    }

    /** Those by themselves at once; the others are answered by the claims that they are for. */
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
        if (group == null || !group.isPending(transaction.index(claim)) || !view.machineExists(machine)) {
            return;
        }
        if (victims.isEmpty()) {
            draft.take(machine, group.header().shape());
        } else {
            draft.takeOver(machine, group.header().shape(), victims);
        }
    }

    private static @Nullable GroupRow group(CellView view, Transaction transaction, int reference) {
        int place = transaction.referenceGroup(reference);
        JobRow job = view.job(new JobId(transaction.referenceJob(reference))).orElse(null);
        return job == null || place >= job.groupCount() ? null : job.group(place);
    }

    private void countInPools(CellView view, Transaction transaction) {
        for (int reference = 0; reference < transaction.references(); reference++) {
            GroupRow group = group(view, transaction, reference);
            Optional<PoolRow> pool = group == null
                    ? Optional.empty()
                    : view.pool(group.job().header().pool());
            if (group != null && PoolDraft.isLimited(pool)) {
                pools.count(pool, group.header().shape(), pendingClaims(transaction, reference, group));
            }
        }
    }

    private static int pendingClaims(Transaction transaction, int reference, GroupRow group) {
        int count = 0;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            boolean counts = transaction.reference(claim) == reference && group.isPending(transaction.index(claim));
            count += counts ? 1 : 0;
        }
        return count;
    }
}
