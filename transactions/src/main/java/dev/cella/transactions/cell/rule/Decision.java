package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision so far about the current transaction: one result per item, and a {@link Draft} of the cell after the accepted
 * items. Scratch of the commit rule, one transaction after another, on the thread that owns the rule.
 */
final class Decision {
    private static final int NONE = -1;
    private static final int REFUSED = -1;
    private static final ItemResult[] NO_RESULTS = new ItemResult[0];

    private final Tables tables;
    private final Draft draft;
    private final ClaimedTasks named = new ClaimedTasks();
    private final DraftedQueues queues = new DraftedQueues();
    private final Map<TaskId, Step.Kind> stepped = new HashMap<>();
    private int copies;
    private final Set<TaskId> evicted = new HashSet<>();
    private @Nullable Transaction transaction;
    private CellVersion version = CellVersion.NONE;
    private long basis;
    private long session;
    private Rights rights = Rights.UNSET;
    private boolean takesOffers;
    private boolean isBeyondOffers;
    private @Nullable GroupRow[] groups = new GroupRow[4];
    private int claims;
    private int[] slots = new int[64];
    private @Nullable ItemResult[] refusals = new ItemResult[64];
    private @Nullable ItemResult[] others = NO_RESULTS;
    private EvictionsByClaim evictions = EvictionsByClaim.NONE;
    private int[] accepted = new int[64];
    private int acceptedClaims;

    Decision(Tables tables) {
        this.tables = tables;
        this.draft = new Draft(tables);
    }

    /** A transaction without a basis is decided on the current state. */
    void begin(Transaction next, CellVersion shown, CellVersion asVersion) {
        transaction = next;
        version = asVersion;
        basis = next.basis().equals(CellVersion.NONE)
                ? shown.number()
                : next.basis().number();
        session = next.sessionVersion();
        rights = tables.policies.rights(next.scheduler());
        draft.clear();
        draft.claimant(next.scheduler(), session);
        takesOffers = tables.sessions.takesOffers(next.scheduler());
        isBeyondOffers = false;
        named.clear();
        queues.clear();
        stepped.clear();
        copies = 0;
        evicted.clear();
        acceptedClaims = 0;
        evictions = EvictionsByClaim.of(next);
        makeRoom(next.claims(), next.items() - next.claims());
        findGroups(next);
    }

    private void makeRoom(int forClaims, int forOthers) {
        claims = forClaims;
        if (forClaims > slots.length) {
            slots = new int[forClaims];
            refusals = new ItemResult[forClaims];
            accepted = new int[forClaims];
        }
        others = forOthers == 0 ? NO_RESULTS : new ItemResult[forOthers];
    }

    /** Looks up each reference once: all claims that share a reference share the row. */
    private void findGroups(Transaction next) {
        if (next.references() > groups.length) {
            groups = new GroupRow[next.references()];
        }
        for (int reference = 0; reference < next.references(); reference++) {
            groups[reference] = findGroup(next.referenceJob(reference), next.referenceGroup(reference));
        }
    }

    private @Nullable GroupRow findGroup(long job, int group) {
        JobRow row = tables.jobs.find(job);
        return row == null || group >= row.groupCount() ? null : row.group(group);
    }

    // ---- the transaction

    Transaction transaction() {
        if (transaction == null) {
            throw new IllegalStateException("nothing is being decided");
        }
        return transaction;
    }

    /** The version that the outcome carries. */
    CellVersion version() {
        return version;
    }

    /** The version after which a change by another transaction is a conflict. */
    long basis() {
        return basis;
    }

    /** The session's number, or 0. */
    long session() {
        return session;
    }

    /** The rights of the transaction's scheduler. */
    Rights rights() {
        return rights;
    }

    Draft draft() {
        return draft;
    }

    /** Returns whether its scheduler claims only from offers. */
    boolean takesOffers() {
        return takesOffers;
    }

    void beyondOffers() {
        isBeyondOffers = true;
    }

    /** Returns whether a claim asks for more than is offered, which refuses the whole transaction. */
    boolean isBeyondOffers() {
        return isBeyondOffers;
    }

    EvictionsByClaim evictions() {
        return evictions;
    }

    // ---- the tasks that it names

    /** The group of the claim's task, if it exists. */
    @Nullable
    GroupRow group(int claim) {
        return groups[transaction().reference(claim)];
    }

    /** The group of a task that exists. */
    @Nullable
    GroupRow find(TaskId task) {
        GroupRow group = findGroup(task.job().version(), task.group());
        return group != null && task.index() < group.header().count() ? group : null;
    }

    /** The row of the task, or {@link TaskTable#NO_ROW}. */
    int row(TaskId task) {
        GroupRow group = find(task);
        return group == null ? TaskTable.NO_ROW : group.row(task.index());
    }

    boolean isOwn(JobRow job) {
        return job.header().scheduler().equals(transaction().scheduler());
    }

    /** Records that a claim places the task. Returns whether no earlier claim names it. */
    boolean name(GroupRow group, int index) {
        return transaction().claimsInOrder()
                || (named.add(group.job().id().version(), group.place(), index) && !queues.isNamed(group, index));
    }

    /** Records that a claim queues the task. Returns whether no earlier claim places it: several may queue it. */
    boolean nameQueued(GroupRow group, int index) {
        if (transaction().claimsInOrder()) {
            return true;
        }
        queues.name(group, index);
        return !named.contains(group.job().id().version(), group.place(), index);
    }

    /** The queue rows that the transaction has been granted so far. */
    DraftedQueues queues() {
        return queues;
    }

    void step(TaskId task, Step.Kind kind) {
        stepped.put(task, kind);
    }

    /** Counts an accepted copy of a task. */
    void copy() {
        copies++;
    }

    /** How many copies of tasks the transaction adds so far. */
    int copies() {
        return copies;
    }

    boolean isStepped(TaskId task) {
        return stepped.containsKey(task);
    }

    void evict(TaskId task) {
        evicted.add(task);
    }

    /** Returns whether the task is pending, after this transaction's own steps. */
    boolean isPending(GroupRow group, int index) {
        if (!stepped.isEmpty()) {
            Step.Kind step = stepped.get(new TaskId(group.job().id(), group.place(), index));
            if (step != null) {
                return step == Step.Kind.AGAIN;
            }
        }
        return group.isPending(index);
    }

    /** Returns whether the task is placed or running, as this transaction has made it so far. */
    boolean isPlaced(TaskId task, int row) {
        if (row == TaskTable.NO_ROW || evicted.contains(task) || stepped.containsKey(task)) {
            return false;
        }
        return switch (tables.tasks.state(row)) {
            case PLACED, RUNNING -> true;
            default -> false;
        };
    }

    // ---- the results of its items

    void acceptClaim(int claim, int slot) {
        slots[claim] = slot;
        refusals[claim] = null;
        accepted[acceptedClaims++] = claim;
    }

    void accept(int place, ItemKind kind, OptionalInt slot) {
        others[place - claims] = ItemResult.accepted(kind, slot);
    }

    void refuse(int place, ItemResult refusal) {
        if (place < claims) {
            slots[place] = REFUSED;
            refusals[place] = refusal;
        } else {
            others[place - claims] = refusal;
        }
    }

    /** Returns whether an item after the claims is decided already. */
    boolean isDecided(int place) {
        return others[place - claims] != null;
    }

    boolean isAccepted(int place) {
        return place < claims ? slots[place] != REFUSED : other(place).accepted();
    }

    /** Why the claim was refused. */
    ItemResult refusal(int claim) {
        ItemResult refusal = refusals[claim];
        if (refusal == null) {
            throw new IllegalStateException("claim " + claim + " was not refused");
        }
        return refusal;
    }

    private ItemResult other(int place) {
        ItemResult result = others[place - claims];
        if (result == null) {
            throw new IllegalStateException("item " + place + " was not decided");
        }
        return result;
    }

    int items() {
        return claims + others.length;
    }

    int acceptedClaims() {
        return acceptedClaims;
    }

    int acceptedClaim(int place) {
        return accepted[place];
    }

    /** Refuses the items that would have passed, because the transaction applies nothing. */
    void abort(int felledBy) {
        acceptedClaims = 0;
        ItemResult claimAborted = Refusals.aborted(ItemKind.CLAIM, felledBy);
        for (int place = 0; place < items(); place++) {
            if (isAccepted(place)) {
                refuse(
                        place,
                        place < claims
                                ? claimAborted
                                : Refusals.aborted(other(place).kind(), felledBy));
            }
        }
    }

    /** The first refused item before {@code before} that counts against the whole, or -1. */
    int firstFelling(int before) {
        int place = acceptedClaims == claims ? claims : 0;
        while (place < before && (isAccepted(place) || isSpared(place))) {
            place++;
        }
        return place < before ? place : NONE;
    }

    /** An unused eviction whose claim was accepted anyway does not count against the whole. */
    private boolean isSpared(int place) {
        if (place < claims || other(place).kind() != ItemKind.EVICTION) {
            return false;
        }
        OptionalInt claim = transaction().evictions().get(place - claims).forClaim();
        return claim.isPresent() && isAccepted(claim.getAsInt());
    }

    // ---- the outcome

    Outcome outcome() {
        for (int place = claims; place < items(); place++) {
            other(place);
        }
        return Outcome.decided(transaction().id(), version, verdict(), slots, refusals, others, claims);
    }

    private Verdict verdict() {
        boolean any = acceptedClaims > 0;
        for (int place = claims; place < items(); place++) {
            any |= isAccepted(place);
        }
        if (!any && items() > 0) {
            return Verdict.REJECTED;
        }
        return firstFelling(items()) == NONE ? Verdict.COMMITTED : Verdict.PARTIAL;
    }
}
