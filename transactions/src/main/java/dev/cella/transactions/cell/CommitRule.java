package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
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
    private static final int NONE = -1;
    private static final int NO_CLAIM = -1;

    private final Tables tables;
    private final Draft draft;
    private final ClaimedTasks named = new ClaimedTasks();
    private final Map<TaskId, Step.Kind> stepped = new HashMap<>();
    private final Set<TaskId> evicted = new HashSet<>();
    private Rights rights = Rights.UNSET;
    private final List<Integer> order = new ArrayList<>();
    private @Nullable ItemResult[] acceptedBySlot = new ItemResult[0];
    private @Nullable ItemResult[] results = new ItemResult[0];
    private @Nullable JobRow jobFoundLast;

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
        begin(transaction);
        long basis = basis(transaction, shown);
        decideSteps(transaction);
        decideEvictionsAlone(transaction, basis);
        decideClaims(transaction, basis);
        decideEvictionsLeft(transaction, basis);
        decideHolds(transaction, version, basis);
        holdTogether(transaction);
        return new Outcome(transaction.id(), version, verdict(transaction), Optional.empty(), version, decided());
    }

    /** The accepted claims in the order in which they were decided, which is the one to apply them in. */
    List<Integer> order() {
        return order;
    }

    private void begin(Transaction transaction) {
        draft.clear();
        named.clear();
        stepped.clear();
        evicted.clear();
        order.clear();
        jobFoundLast = null;
        rights = tables.policies.rights(transaction.scheduler());
        results = new ItemResult[transaction.items()];
    }

    private List<ItemResult> decided() {
        List<ItemResult> decided = new ArrayList<>(results.length);
        for (int place = 0; place < results.length; place++) {
            decided.add(result(place));
        }
        return decided;
    }

    private ItemResult result(int place) {
        ItemResult result = results[place];
        if (result == null) {
            throw new IllegalStateException("item " + place + " was not decided");
        }
        return result;
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

    private void decideSteps(Transaction transaction) {
        int place = results.length - transaction.steps().size();
        for (Step step : transaction.steps()) {
            Reason refused = refuseStep(transaction, step);
            if (refused == null) {
                stepped.put(step.task(), step.kind());
                takeStep(step);
            }
            results[place++] = refused == null
                    ? ItemResult.accepted(ItemKind.STEP, OptionalInt.empty())
                    : ItemResult.refused(ItemKind.STEP, refused);
        }
    }

    /** What is stopped on a machine without an agent has ended, and is free for the claims that follow. */
    private void takeStep(Step step) {
        int row = findRow(step.task());
        if (row != TaskTable.NO_ROW && tables.tasks.state(row).isOnMachine()) {
            giveAtOnce(row);
        }
    }

    private void giveAtOnce(int row) {
        int slot = tables.tasks.machine(row);
        if (tables.machines.agent(slot) == null) {
            draft.count(tables.tasks.group(row).job(), tables.tasks.held(row), -1);
            draft.give(slot, tables.tasks.held(row));
        }
    }

    private int findRow(TaskId task) {
        GroupRow group = findGroup(task.job().version(), task.group());
        return group == null ? TaskTable.NO_ROW : group.row(task.index());
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
        if (row == TaskTable.NO_ROW || !tables.stateOf(row).isEnded()) {
            return Reason.ILLEGAL_STEP;
        }
        return group.job().isEnded() || group.job().isStopped() || tables.isOver(row) ? Reason.NOT_ALLOWED : null;
    }

    private @Nullable Reason refuseStop(GroupRow group, int row) {
        TaskState state = row == TaskTable.NO_ROW ? TaskState.PENDING : tables.tasks.state(row);
        boolean canStop = state == TaskState.PENDING || state == TaskState.PLACED || state == TaskState.RUNNING;
        return canStop && !group.job().isStopped() ? null : Reason.ILLEGAL_STEP;
    }

    // ---- 3. evictions without a claim, in order, by themselves

    private void decideEvictionsAlone(Transaction transaction, long basis) {
        int place = transaction.claims();
        for (Eviction eviction : transaction.evictions()) {
            if (eviction.forClaim().isEmpty()) {
                results[place] = decideEvictionAlone(transaction, eviction, basis);
            }
            place++;
        }
    }

    private ItemResult decideEvictionAlone(Transaction transaction, Eviction eviction, long basis) {
        ItemResult refused = refuseEviction(transaction, eviction, basis);
        if (refused != null) {
            return refused;
        }
        int row = findRow(eviction.task());
        evicted.add(eviction.task());
        giveAtOnce(row);
        return ItemResult.accepted(ItemKind.EVICTION, OptionalInt.of(tables.tasks.machine(row)));
    }

    private @Nullable ItemResult refuseEviction(Transaction transaction, Eviction eviction, long basis) {
        TaskId task = eviction.task();
        GroupRow group = findGroup(task.job().version(), task.group());
        if (group == null || task.index() >= group.header().count()) {
            return ItemResult.refused(ItemKind.EVICTION, Reason.UNKNOWN_TASK);
        }
        int row = group.row(task.index());
        if (!isPlaced(task, row)) {
            return ItemResult.refused(ItemKind.EVICTION, Reason.TASK_NOT_PLACED);
        }
        if (tables.tasks.attempt(row) != eviction.attempt()) {
            return refusal(ItemKind.EVICTION, Reason.TASK_CHANGED, placedAfter(row, basis));
        }
        return mayEvict(transaction, eviction, group)
                ? null
                : ItemResult.refused(ItemKind.EVICTION, Reason.NOT_ALLOWED);
    }

    /** Placed or running, as this transaction has made it so far. */
    private boolean isPlaced(TaskId task, int row) {
        if (row == TaskTable.NO_ROW || evicted.contains(task) || stepped.containsKey(task)) {
            return false;
        }
        TaskState state = tables.tasks.state(row);
        return state == TaskState.PLACED || state == TaskState.RUNNING;
    }

    private boolean mayEvict(Transaction transaction, Eviction eviction, GroupRow victim) {
        return switch (rights.evicts()) {
            case NOTHING -> false;
            case OWN -> isOwn(transaction, victim);
            case LOWER ->
                eviction.forClaim().isEmpty()
                        ? isOwn(transaction, victim)
                        : isLower(transaction, eviction.forClaim().getAsInt(), victim);
            case ANY -> true;
        };
    }

    private boolean isLower(Transaction transaction, int claim, GroupRow victim) {
        int reference = transaction.reference(claim);
        GroupRow claims = findGroup(transaction.referenceJob(reference), transaction.referenceGroup(reference));
        return claims != null
                && victim.job().header().priority() < claims.job().header().priority();
    }

    // ---- 4. claims: each one's first choice, in order, then the alternates of those refused, in order

    private void decideClaims(Transaction transaction, long basis) {
        for (int claim = 0; claim < transaction.claims(); claim++) {
            results[claim] = decideClaim(transaction, claim, basis);
        }
        for (int claim = 0; claim < transaction.claims(); claim++) {
            if (transaction.alternates(claim) > 0 && !result(claim).accepted()) {
                decideAlternates(transaction, claim, basis);
            }
        }
    }

    private ItemResult decideClaim(Transaction transaction, int claim, long basis) {
        ItemResult refused = refuseTask(transaction, claim, basis);
        return refused == null ? decideMachine(transaction, claim, transaction.machine(claim), basis) : refused;
    }

    private void decideAlternates(Transaction transaction, int claim, long basis) {
        if (isAboutTheTask(result(claim))) {
            return;
        }
        for (int place = 0; place < transaction.alternates(claim); place++) {
            ItemResult result = decideMachine(transaction, claim, transaction.alternate(claim, place), basis);
            if (result.accepted()) {
                results[claim] = result;
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
        JobRow row = findJob(job);
        return row == null || group >= row.groupCount() ? null : row.group(group);
    }

    /** One job is asked for many times in a row: for each task of a transaction. */
    private @Nullable JobRow findJob(long job) {
        if (jobFoundLast == null || jobFoundLast.id().version() != job) {
            jobFoundLast = tables.jobs.find(job);
        }
        return jobFoundLast;
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
        return refusal(ItemKind.CLAIM, Reason.TASK_NOT_PENDING, placedAfter(group.row(index), basis));
    }

    /** The transaction that placed the task after the basis, if one did. */
    private @Nullable Origin placedAfter(int row, long basis) {
        Origin origin = row == TaskTable.NO_ROW ? null : tables.tasks.origin(row);
        return origin != null && origin.version() > basis ? origin : null;
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
        List<Integer> victims = victims(transaction, claim, slot, basis);
        ItemResult overQuota = refuseQuota(transaction, group, slot, victims, basis);
        if (overQuota != null) {
            return overQuota;
        }
        if (!mayPlace(transaction, group.job()) || saysOtherAmounts(transaction, claim, asked)) {
            return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED);
        }
        Amounts own = draft.gotBy(group.job(), slot);
        Amounts offered = own.plus(held(transaction, victims));
        int lacking = draft.firstLacking(slot, asked, offered);
        Amounts others = draft.gotByOthers(group.job(), slot);
        if (lacking >= 0 && !others.isNone() && draft.firstLacking(slot, asked, offered.plus(others)) < 0) {
            return refuseFit(transaction, group, slot, basis, Reason.HELD, lacking);
        }
        boolean fromHold = !own.min(asked).isNone();
        if (isAnother(transaction, slot) || (!fromHold && isChanged(transaction, slot, basis))) {
            return refusal(ItemKind.CLAIM, Reason.MACHINE_CHANGED, winnerOn(transaction, slot, basis));
        }
        if (lacking >= 0) {
            return refuseFit(transaction, group, slot, basis, Reason.DOES_NOT_FIT, lacking);
        }
        take(transaction, group, slot, victims);
        order.add(claim);
        return acceptedOn(slot);
    }

    /** One value a machine, shared by all claims that were accepted there and by the outcomes that are kept. */
    private ItemResult acceptedOn(int slot) {
        if (slot >= acceptedBySlot.length) {
            acceptedBySlot = Arrays.copyOf(acceptedBySlot, tables.machines.slots());
        }
        ItemResult accepted = acceptedBySlot[slot];
        if (accepted == null) {
            accepted = ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(slot));
            acceptedBySlot[slot] = accepted;
        }
        return accepted;
    }

    // ---- policies: quota of the pool and its ancestors, rights

    /** The first pool, from the job's own up, and its first dimension, of which the claim would hold too much. */
    private @Nullable ItemResult refuseQuota(
            Transaction transaction, GroupRow group, int slot, List<Integer> victims, long basis) {
        Amounts asked = group.header().shape();
        Amounts fromHold = draft.gotBy(group.job(), slot).min(asked);
        for (PoolRow pool = group.job().pool(); pool != null; pool = pool.parentOrNull()) {
            int limited = Math.min(asked.size(), pool.limits().size());
            for (int dimension = 0; dimension < limited; dimension++) {
                long left = left(pool, dimension)
                        + returned(transaction, pool, asked, fromHold, victims).at(dimension);
                if (asked.at(dimension) > 0 && asked.at(dimension) > left) {
                    return refuseOver(ItemKind.CLAIM, pool, transaction, basis, dimension, asked.at(dimension));
                }
            }
        }
        return null;
    }

    private long left(PoolRow pool, int dimension) {
        return pool.limits().at(dimension) - pool.use(dimension) - draft.counted(pool, dimension);
    }

    /** What its job's hold has in it already, and what victims of the same pool would give back or hand over. */
    private Amounts returned(
            Transaction transaction, PoolRow pool, Amounts asked, Amounts fromHold, List<Integer> victims) {
        Amounts returned = fromHold;
        Amounts need = asked.minus(fromHold);
        for (int place : victims) {
            int row = findRow(transaction.evictions().get(place).task());
            Amounts gives = givesUp(row, need);
            need = need.minus(gives.min(need));
            if (isIn(tables.tasks.group(row).job().pool(), pool)) {
                returned = returned.plus(gives);
            }
        }
        return returned;
    }

    /** A victim hands over what the claim needs; where there is no agent it ends at once and holds nothing. */
    private Amounts givesUp(int row, Amounts need) {
        Amounts held = tables.tasks.held(row);
        return tables.machines.agent(tables.tasks.machine(row)) == null ? held : held.min(need);
    }

    private static boolean isIn(PoolRow leaf, PoolRow pool) {
        for (PoolRow each = leaf; each != null; each = each.parentOrNull()) {
            if (each.path().equals(pool.path())) {
                return true;
            }
        }
        return false;
    }

    private ItemResult refuseOver(
            ItemKind kind, PoolRow pool, Transaction transaction, long basis, int dimension, long asked) {
        Optional<Origin> winner = pool.claimedBy().filter(last -> last.version() > basis && !isSeen(transaction, last));
        return new ItemResult(
                kind,
                false,
                winner.isPresent(),
                OptionalInt.empty(),
                Optional.of(Reason.QUOTA),
                OptionalInt.of(dimension),
                asked,
                Math.max(0, left(pool, dimension)),
                OptionalInt.empty(),
                winner);
    }

    /** Whether the planner's view showed that claim, though it is later than the basis. */
    private static boolean isSeen(Transaction transaction, Origin claim) {
        return transaction.seesOwn()
                && transaction.session().isPresent()
                && transaction.session().get().version() == claim.session();
    }

    private static boolean saysOtherAmounts(Transaction transaction, int claim, Amounts asked) {
        return transaction.saysAmounts()
                && !transaction.amounts(claim).orElse(asked).equals(asked);
    }

    private boolean mayPlace(Transaction transaction, JobRow job) {
        JobHeader header = job.header();
        return header.scheduler().equals(transaction.scheduler()) && rights.mayPlace(header.priority(), header.pool());
    }

    // ---- the conflict rule and the fit

    /** It takes first from what its job holds there, then over from its victims, and the rest from what is free. */
    private void take(Transaction transaction, GroupRow group, int slot, List<Integer> victims) {
        Amounts asked = group.header().shape();
        Amounts need = draft.useHolds(group.job(), slot, asked);
        draft.count(group.job(), asked, 1);
        Amounts rest = Amounts.NONE;
        for (int place : victims) {
            int row = findRow(transaction.evictions().get(place).task());
            Amounts held = tables.tasks.held(row);
            Amounts handed = held.min(need);
            Amounts gives = givesUp(row, need);
            need = need.minus(handed);
            rest = rest.plus(gives.minus(handed));
            draft.count(tables.tasks.group(row).job(), gives, -1);
            acceptVictim(transaction, place, slot);
        }
        draft.take(slot, need);
        if (!rest.isNone()) {
            draft.give(slot, rest);
        }
    }

    /** The places of the evictions that stand if the claim is accepted on this machine, each victim once. */
    private List<Integer> victims(Transaction transaction, int claim, int slot, long basis) {
        if (transaction.evictions().isEmpty()) {
            return List.of();
        }
        Set<TaskId> victims = new HashSet<>();
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < transaction.evictions().size(); place++) {
            Eviction eviction = transaction.evictions().get(place);
            if (eviction.forClaim().orElse(NO_CLAIM) == claim
                    && refuseEviction(transaction, eviction, basis) == null
                    && tables.tasks.machine(findRow(eviction.task())) == slot
                    && victims.add(eviction.task())) {
                places.add(place);
            }
        }
        return places;
    }

    private Amounts held(Transaction transaction, List<Integer> victims) {
        Amounts held = Amounts.NONE;
        for (int place : victims) {
            held = held.plus(
                    tables.tasks.held(findRow(transaction.evictions().get(place).task())));
        }
        return held;
    }

    private void acceptVictim(Transaction transaction, int place, int slot) {
        evicted.add(transaction.evictions().get(place).task());
        results[transaction.claims() + place] = ItemResult.accepted(ItemKind.EVICTION, OptionalInt.of(slot));
    }

    /** Evictions for claims that did not need them, or were refused. */
    private void decideEvictionsLeft(Transaction transaction, long basis) {
        int place = transaction.claims();
        for (Eviction eviction : transaction.evictions()) {
            if (results[place] == null) {
                ItemResult refused = refuseEviction(transaction, eviction, basis);
                results[place] = refused == null
                        ? aborted(ItemKind.EVICTION, eviction.forClaim().orElse(NO_CLAIM))
                        : refused;
            }
            place++;
        }
    }

    private void decideHolds(Transaction transaction, CellVersion version, long basis) {
        int place = transaction.claims() + transaction.evictions().size();
        for (int ordinal = 0; ordinal < transaction.holds().size(); ordinal++) {
            HoldRequest request = transaction.holds().get(ordinal);
            ItemResult refused = refuseHold(transaction, request, basis);
            results[place++] = refused == null ? acceptHold(transaction, request, ordinal, version) : refused;
        }
    }

    private @Nullable ItemResult refuseHold(Transaction transaction, HoldRequest request, long basis) {
        JobRow job = tables.jobs.find(request.job().version());
        int slot = request.machine();
        if (job == null || job.isEnded() || job.isStopped()) {
            return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_JOB);
        }
        if (!tables.machines.exists(slot)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_MACHINE);
        }
        if (!tables.machines.isReady(slot)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_NOT_READY);
        }
        ItemResult overQuota = refuseHoldOver(transaction, job, request, basis);
        if (overQuota != null) {
            return overQuota;
        }
        if (!rights.holds() || !mayPlace(transaction, job)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.NOT_ALLOWED);
        }
        if (isAnother(transaction, slot)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_CHANGED);
        }
        return refuseHoldTooLarge(request);
    }

    /** What it wants must fit the pool's limits now; what it gets later counts as it comes. */
    private @Nullable ItemResult refuseHoldOver(Transaction transaction, JobRow job, HoldRequest request, long basis) {
        for (PoolRow pool = job.pool(); pool != null; pool = pool.parentOrNull()) {
            int limited = Math.min(request.amounts().size(), pool.limits().size());
            for (int dimension = 0; dimension < limited; dimension++) {
                long wanted = request.amounts().at(dimension);
                if (wanted > 0 && wanted > left(pool, dimension)) {
                    return refuseOver(ItemKind.HOLD, pool, transaction, basis, dimension, wanted);
                }
            }
        }
        return null;
    }

    /** More than the machine will ever have. */
    private @Nullable ItemResult refuseHoldTooLarge(HoldRequest request) {
        for (int dimension = 0; dimension < request.amounts().size(); dimension++) {
            long capacity = dimension < tables.dimensions().size()
                    ? tables.machines.capacityWanted(request.machine(), dimension)
                    : 0;
            if (request.amounts().at(dimension) > capacity) {
                return new ItemResult(
                        ItemKind.HOLD,
                        false,
                        false,
                        OptionalInt.empty(),
                        Optional.of(Reason.DOES_NOT_FIT),
                        OptionalInt.of(dimension),
                        request.amounts().at(dimension),
                        capacity,
                        OptionalInt.empty(),
                        Optional.empty());
            }
        }
        return null;
    }

    private ItemResult acceptHold(Transaction transaction, HoldRequest request, int ordinal, CellVersion version) {
        long session = transaction.session().map(SessionId::version).orElse(0L);
        Origin origin = new Origin(transaction.id(), transaction.scheduler(), session, version.number());
        JobRow job = tables.jobs.get(request.job().version());
        draft.hold(new HoldRow(origin, ordinal, job, request.machine(), request.amounts(), 0));
        return ItemResult.accepted(ItemKind.HOLD, OptionalInt.of(request.machine()));
    }

    private static boolean isOwn(Transaction transaction, GroupRow group) {
        return group.job().header().scheduler().equals(transaction.scheduler());
    }

    /** Another incarnation than the one the transaction means, which no rule lets pass. */
    private boolean isAnother(Transaction transaction, int slot) {
        long meant = transaction.machinesAsOf().number();
        return meant != 0 && tables.machines.registeredVersion(slot) > meant;
    }

    /** Claims of others after the basis, under rule MACHINE. */
    private boolean isChanged(Transaction transaction, int slot, long basis) {
        long registered = tables.machines.registeredVersion(slot);
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

    /** A conflict, if a claim or what another job's hold has got on the machine is later than the basis. */
    private ItemResult refuseFit(
            Transaction transaction, GroupRow group, int slot, long basis, Reason reason, int dimension) {
        Origin winner = winnerOn(transaction, slot, basis);
        for (HoldRow hold : draft.holdsOn(slot)) {
            boolean later = hold.got().at(dimension) > 0
                    && hold.origin().version() > (winner == null ? basis : winner.version());
            boolean others = !hold.job().id().equals(group.job().id()) && !isSeen(transaction, hold.origin());
            winner = later && others ? hold.origin() : winner;
        }
        return new ItemResult(
                ItemKind.CLAIM,
                false,
                winner != null,
                OptionalInt.empty(),
                Optional.of(reason),
                OptionalInt.of(dimension),
                group.header().shape().at(dimension),
                draft.free(slot, dimension),
                OptionalInt.empty(),
                Optional.ofNullable(winner));
    }

    private static ItemResult refusal(ItemKind kind, Reason reason, @Nullable Origin winner) {
        return new ItemResult(
                kind,
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

    // ---- 5. atomicity

    /** Fells what would have passed, where all or a minimum was asked and not reached. */
    private void holdTogether(Transaction transaction) {
        int felledBy = firstFelling(transaction, results.length);
        if (felledBy == NONE) {
            return;
        }
        boolean all = transaction.atomicity() == Atomicity.ALL_OR_NOTHING;
        boolean tooFew = acceptedClaims(transaction) < transaction.minClaims();
        if (all || tooFew) {
            abort(all ? felledBy : firstFelling(transaction, transaction.claims()));
        }
    }

    private int firstFelling(Transaction transaction, int before) {
        for (int place = 0; place < before; place++) {
            if (!result(place).accepted() && !isSpared(transaction, place)) {
                return place;
            }
        }
        return NONE;
    }

    /** An eviction that its claim did without fells nothing. */
    private boolean isSpared(Transaction transaction, int place) {
        if (result(place).kind() != ItemKind.EVICTION) {
            return false;
        }
        OptionalInt claim =
                transaction.evictions().get(place - transaction.claims()).forClaim();
        return claim.isPresent() && result(claim.getAsInt()).accepted();
    }

    private int acceptedClaims(Transaction transaction) {
        int accepted = 0;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            accepted += result(claim).accepted() ? 1 : 0;
        }
        return accepted;
    }

    private void abort(int felledBy) {
        for (int place = 0; place < results.length; place++) {
            if (result(place).accepted()) {
                results[place] = aborted(result(place).kind(), felledBy);
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

    private Verdict verdict(Transaction transaction) {
        boolean any = false;
        for (int place = 0; place < results.length; place++) {
            any |= result(place).accepted();
        }
        if (!any) {
            return Verdict.REJECTED;
        }
        return firstFelling(transaction, results.length) == NONE ? Verdict.COMMITTED : Verdict.PARTIAL;
    }
}
