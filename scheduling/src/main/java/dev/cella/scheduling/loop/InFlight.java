package dev.cella.scheduling.loop;

import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.TaskSet;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.Draft;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The transactions whose outcome the view does not show yet. Until it does their tasks are spoken for, and nothing about
 * them is planned again: neither what was refused, because the view still lacks what it was refused for, nor what has no
 * answer, because it may have been accepted. Owned by {@link SchedulerLoop}.
 */
final class InFlight {
    /** A transaction that is in flight no more. It has no outcome if the cell's history was replaced by another one. */
    record Settled(Transaction transaction, Optional<Outcome> outcome) {}

    private static final class Sent {
        final Transaction transaction;
        Optional<Outcome> outcome = Optional.empty();

        Sent(Transaction transaction) {
            this.transaction = transaction;
        }
    }

    /** So many transactions may wait while the cell keeps up: one entry of its log takes them all. */
    private static final long BACKLOG_USUAL = 100;

    private final int max;
    private int plannedAhead;
    private final Map<TransactionId, Sent> sent = new LinkedHashMap<>();
    private final Deque<Proposal> held = new ArrayDeque<>();
    private TaskSet tasks = new TaskSet();

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

    /** From now on its tasks are spoken for; it is submitted when {@link #nextToSubmit} comes to it. */
    void add(Proposal proposal) {
        Transaction transaction = proposal.transaction();
        held.add(proposal);
        sent.put(transaction.id(), new Sent(transaction));
        speakFor(transaction);
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
        return new Settled(candidate.transaction, sameHistory ? candidate.outcome : Optional.empty());
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
     * Takes on the draft what claims in flight ask. A claim whose task the view no longer shows pending is not counted
     * twice: the feed may be ahead of the answer.
     */
    void takeOn(Draft draft, CellView view) {
        for (Sent each : sent.values()) {
            Transaction transaction = each.transaction;
            for (int claim = 0; claim < transaction.claims(); claim++) {
                takeOn(draft, view, transaction, claim);
            }
        }
    }

    private static void takeOn(Draft draft, CellView view, Transaction transaction, int claim) {
        int reference = transaction.reference(claim);
        Optional<GroupRow> group = view.job(new JobId(transaction.referenceJob(reference)))
                .map(JobRow::groups)
                .filter(groups -> transaction.referenceGroup(reference) < groups.size())
                .map(groups -> groups.get(transaction.referenceGroup(reference)));
        if (group.isPresent()
                && group.get().isPending(transaction.index(claim))
                && view.machineExists(transaction.machine(claim))) {
            draft.take(transaction.machine(claim), group.get().header().shape());
        }
    }
}
