package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a transaction: the one class that says what fits and what is a conflict (SEMANTICS section 5,
 * "A transaction", from 2 on and in its order; dissertation 6.2.2).
 *
 * <p>It reads the tables and writes nothing: what the transaction would have taken so far is kept in a {@link Draft}. So
 * an all-or-nothing transaction that fails has nothing to undo and leaves no trace that could make others conflict, and a
 * planner's preview is the same decision as the commit's. Whoever commits then applies what was accepted. Owned by the
 * thread that reads the tables; one instance serves many transactions, one after another.
 */
final class CommitRule {
    private static final int REFUSED = -1;

    private final Tables tables;
    private final Draft draft;
    private final ClaimedTasks named = new ClaimedTasks();
    private final Map<TaskId, Step.Kind> stepped = new HashMap<>();
    private final List<ItemResult> results = new ArrayList<>();

    CommitRule(Tables tables) {
        this.tables = tables;
        this.draft = new Draft(tables);
    }

    /**
     * Decides it on what the tables have shown since version {@code shown}; {@code version} is the one the outcome says.
     * What is accepted is to be applied as it stands.
     */
    Outcome decide(Transaction transaction, CellVersion shown, CellVersion version) {
        Optional<Reason> whole = refuseWhole(transaction, shown);
        if (whole.isPresent()) {
            return Outcome.refused(transaction.id(), version, whole.get());
        }
        draft.clear();
        named.clear();
        stepped.clear();
        results.clear();
        List<ItemResult> steps = decideSteps(transaction);
        decideClaims(transaction, basis(transaction, shown));
        transaction.evictions().forEach(eviction -> results.add(notYet(ItemKind.EVICTION)));
        transaction.holds().forEach(hold -> results.add(notYet(ItemKind.HOLD)));
        results.addAll(steps);
        holdTogether(transaction);
        return new Outcome(transaction.id(), version, verdict(), Optional.empty(), version, results);
    }

    // ---- 2. whole

    private Optional<Reason> refuseWhole(Transaction transaction, CellVersion shown) {
        if (!transaction.incarnation().accepts(tables.incarnation())) {
            return Optional.of(Reason.OTHER_INCARNATION);
        }
        if (isFenced(transaction)) {
            return Optional.of(Reason.FENCED);
        }
        if (transaction.basis().isAfter(shown) || transaction.machinesAsOf().isAfter(shown)) {
            return Optional.of(Reason.BASIS_AHEAD);
        }
        return Optional.empty();
    }

    private boolean isFenced(Transaction transaction) {
        if (transaction.session().isEmpty()) {
            return false;
        }
        SessionRow session = tables.sessions.find(transaction.session().get().version());
        return session == null || !session.scheduler().equals(transaction.scheduler());
    }

    /** A transaction that says no basis is decided on what there is now. */
    private static long basis(Transaction transaction, CellVersion shown) {
        return transaction.basis().equals(CellVersion.NONE)
                ? shown.number()
                : transaction.basis().number();
    }

    // ---- steps on tasks of its own jobs

    private List<ItemResult> decideSteps(Transaction transaction) {
        List<ItemResult> decided = new ArrayList<>();
        for (Step step : transaction.steps()) {
            Reason refused = refuseStep(transaction, step);
            if (refused == null) {
                stepped.put(step.task(), step.kind());
                decided.add(ItemResult.accepted(ItemKind.STEP, OptionalInt.empty()));
            } else {
                decided.add(ItemResult.refused(ItemKind.STEP, refused));
            }
        }
        return decided;
    }

    private @Nullable Reason refuseStep(Transaction transaction, Step step) {
        TaskId task = step.task();
        GroupRow group = findGroup(task.job().version(), task.group());
        if (group == null || task.index() >= group.header().count()) {
            return Reason.UNKNOWN_TASK;
        }
        if (stepped.containsKey(task)) {
            return Reason.DUPLICATE_TASK;
        }
        if (!isOwn(transaction, group)) {
            return Reason.NOT_ALLOWED;
        }
        int row = group.row(task.index());
        int attempt = row == TaskTable.NO_ROW ? 0 : tables.tasks.attempt(row);
        if (step.attempt() != attempt) {
            return Reason.TASK_CHANGED;
        }
        return step.kind() == Step.Kind.AGAIN ? refuseAgain(group, row) : refuseStop(group, row);
    }

    /** A new attempt follows an ended one, unless the task is over for good. */
    private @Nullable Reason refuseAgain(GroupRow group, int row) {
        if (row == TaskTable.NO_ROW || !tables.tasks.state(row).isEnded()) {
            return Reason.ILLEGAL_STEP;
        }
        return group.job().isEnded() || group.job().isStopped() || tables.isOver(row) ? Reason.NOT_ALLOWED : null;
    }

    private @Nullable Reason refuseStop(GroupRow group, int row) {
        TaskState state = row == TaskTable.NO_ROW ? TaskState.PENDING : tables.tasks.state(row);
        boolean canStop = state == TaskState.PENDING || state == TaskState.PLACED || state == TaskState.RUNNING;
        return canStop && !group.job().isStopped() ? null : Reason.ILLEGAL_STEP;
    }

    // ---- 4. claims: each one's first choice, in order, then the alternates of those refused, in order

    private void decideClaims(Transaction transaction, long basis) {
        for (int claim = 0; claim < transaction.claims(); claim++) {
            results.add(decideClaim(transaction, claim, basis));
        }
        for (int claim = 0; claim < transaction.claims(); claim++) {
            if (!results.get(claim).accepted() && transaction.alternates(claim) > 0) {
                decideAlternates(transaction, claim, basis);
            }
        }
    }

    private ItemResult decideClaim(Transaction transaction, int claim, long basis) {
        ItemResult refused = refuseTask(transaction, claim, basis);
        return refused == null ? decideMachine(transaction, claim, transaction.machine(claim), basis) : refused;
    }

    private void decideAlternates(Transaction transaction, int claim, long basis) {
        if (isAboutTheTask(results.get(claim))) {
            return;
        }
        for (int place = 0; place < transaction.alternates(claim); place++) {
            ItemResult result = decideMachine(transaction, claim, transaction.alternate(claim, place), basis);
            if (result.accepted()) {
                results.set(claim, result);
                return;
            }
        }
    }

    /** No other machine would change it. */
    private static boolean isAboutTheTask(ItemResult refused) {
        return switch (refused.reason().orElse(Reason.BAD_COMMAND)) {
            case UNKNOWN_TASK, TASK_NOT_PENDING, TASK_CHANGED, DUPLICATE_TASK -> true;
            default -> false;
        };
    }

    // ---- the task

    private @Nullable ItemResult refuseTask(Transaction transaction, int claim, long basis) {
        int reference = transaction.reference(claim);
        long job = transaction.referenceJob(reference);
        int index = transaction.index(claim);
        GroupRow group = findGroup(job, transaction.referenceGroup(reference));
        if (group == null || index < 0 || index >= group.header().count()) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.UNKNOWN_TASK);
        }
        boolean first = named.add(job, group.place(), index);
        if (!isPending(group, index)) {
            return refusePlaced(group, index, basis);
        }
        if (transaction.referenceGeneration(reference) != group.job().generation()) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.TASK_CHANGED);
        }
        return first ? null : ItemResult.refused(ItemKind.CLAIM, Reason.DUPLICATE_TASK);
    }

    private @Nullable GroupRow findGroup(long job, int group) {
        JobRow row = tables.jobs.find(job);
        return row == null || group >= row.groups().size() ? null : row.group(group);
    }

    /** Pending as this transaction's own steps have made it. */
    private boolean isPending(GroupRow group, int index) {
        if (!stepped.isEmpty()) {
            Step.Kind step = stepped.get(new TaskId(group.job().id(), group.place(), index));
            if (step != null) {
                return step == Step.Kind.AGAIN;
            }
        }
        return group.isPending(index);
    }

    /** A conflict, if another transaction placed the task after the basis. */
    private ItemResult refusePlaced(GroupRow group, int index, long basis) {
        int row = group.row(index);
        Origin winner = row == TaskTable.NO_ROW ? null : tables.tasks.origin(row);
        boolean conflict = winner != null && winner.version() > basis;
        return refusal(Reason.TASK_NOT_PENDING, conflict ? winner : null);
    }

    // ---- the machine, the policies, the conflict rule, the fit

    private ItemResult decideMachine(Transaction transaction, int claim, int slot, long basis) {
        int reference = transaction.reference(claim);
        GroupRow group = findGroup(transaction.referenceJob(reference), transaction.referenceGroup(reference));
        if (group == null || !tables.machines.exists(slot)) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.UNKNOWN_MACHINE);
        }
        if (!tables.machines.isReady(slot)) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.MACHINE_NOT_READY);
        }
        Amounts asked = group.header().shape();
        if (!isOwn(transaction, group)
                || !transaction.amounts(claim).orElse(asked).equals(asked)) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED);
        }
        if (isChanged(transaction, slot, basis)) {
            return refusal(Reason.MACHINE_CHANGED, winnerOn(transaction, slot, basis));
        }
        int lacking = draft.firstLacking(slot, asked);
        if (lacking >= 0) {
            return refuseFit(transaction, slot, basis, lacking, asked.at(lacking));
        }
        draft.take(slot, asked);
        return ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(slot));
    }

    private static boolean isOwn(Transaction transaction, GroupRow group) {
        return group.job().header().scheduler().equals(transaction.scheduler());
    }

    /** Another incarnation under both rules; claims of others after the basis under rule MACHINE. */
    private boolean isChanged(Transaction transaction, int slot, long basis) {
        long registered = tables.machines.registeredVersion(slot);
        long meant = transaction.machinesAsOf().number();
        if (meant != 0 && registered > meant) {
            return true;
        }
        return transaction.conflictRule() == ConflictRule.MACHINE
                && Math.max(registered, claimedByOthersVersion(transaction, slot)) > basis;
    }

    /** The last claim that counts: one that sees its own session's claims does not conflict with them. */
    private long claimedByOthersVersion(Transaction transaction, int slot) {
        return transaction.seesOwn()
                ? tables.machines.claimedByOthersVersion(
                        slot, transaction.session().map(SessionId::version).orElse(0L))
                : tables.machines.claimedVersion(slot);
    }

    /** Who claimed on the machine last, if that was after the basis and by another than itself. */
    private @Nullable Origin winnerOn(Transaction transaction, int slot, long basis) {
        Origin last = tables.machines.claimedBy(slot);
        return last != null && claimedByOthersVersion(transaction, slot) > basis ? last : null;
    }

    private ItemResult refuseFit(Transaction transaction, int slot, long basis, int dimension, long asked) {
        Origin winner = winnerOn(transaction, slot, basis);
        return new ItemResult(
                ItemKind.CLAIM,
                false,
                winner != null,
                OptionalInt.empty(),
                Optional.of(Reason.DOES_NOT_FIT),
                OptionalInt.of(dimension),
                asked,
                draft.free(slot, dimension),
                OptionalInt.empty(),
                Optional.ofNullable(winner));
    }

    private static ItemResult refusal(Reason reason, @Nullable Origin winner) {
        return new ItemResult(
                ItemKind.CLAIM,
                false,
                winner != null,
                OptionalInt.empty(),
                Optional.of(reason),
                OptionalInt.empty(),
                0,
                0,
                OptionalInt.empty(),
                Optional.ofNullable(winner));
    }

    private static ItemResult notYet(ItemKind kind) {
        return ItemResult.refused(kind, Reason.NOT_ALLOWED);
    }

    // ---- 5. atomicity

    /** Fells what would have passed, where all or a minimum was asked and not reached. */
    private void holdTogether(Transaction transaction) {
        int felledBy = firstRefused(results.size());
        if (felledBy == REFUSED) {
            return;
        }
        boolean all = transaction.atomicity() == Atomicity.ALL_OR_NOTHING;
        boolean tooFew = acceptedClaims(transaction) < transaction.minClaims();
        if (all || tooFew) {
            abort(all ? felledBy : firstRefused(transaction.claims()));
        }
    }

    private int firstRefused(int before) {
        for (int place = 0; place < before; place++) {
            if (!results.get(place).accepted()) {
                return place;
            }
        }
        return REFUSED;
    }

    private int acceptedClaims(Transaction transaction) {
        int accepted = 0;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            accepted += results.get(claim).accepted() ? 1 : 0;
        }
        return accepted;
    }

    private void abort(int felledBy) {
        for (int place = 0; place < results.size(); place++) {
            ItemResult result = results.get(place);
            if (result.accepted()) {
                results.set(place, aborted(result.kind(), felledBy));
            }
        }
    }

    private static ItemResult aborted(ItemKind kind, int felledBy) {
        return new ItemResult(
                kind,
                false,
                false,
                OptionalInt.empty(),
                Optional.of(Reason.ABORTED),
                OptionalInt.empty(),
                0,
                0,
                OptionalInt.of(felledBy),
                Optional.empty());
    }

    private Verdict verdict() {
        int accepted = 0;
        for (ItemResult result : results) {
            accepted += result.accepted() ? 1 : 0;
        }
        if (accepted == 0) {
            return Verdict.REJECTED;
        }
        return accepted == results.size() ? Verdict.COMMITTED : Verdict.PARTIAL;
    }
}
