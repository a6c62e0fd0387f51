package dev.cella.scheduling;

import dev.cella.scheduling.host.Commitments;
import dev.cella.scheduling.host.FullMachines;
import dev.cella.scheduling.host.PoolDraft;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.MachineSet;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The drafts of one plan on one cell, and the transactions that they become. A {@link PlanningView} and the views narrowed
 * from it share one drafting.
 *
 * <p>{@link Draft}, the class that the commit uses, decides what fits; nothing is computed beside it. Belongs to one call of
 * {@link Scheduler#plan} and its thread.
 */
final class Drafting {
    /**
     * A claim of this plan: the part that the job had held before, and the part that it took beyond that, unless it evicts.
     */
    record Claimed(GroupRow group, int index, int machine, Amounts held, Amounts taken, List<TaskRow> victims) {
        JobId job() {
            return group.job().id();
        }
    }

    final int place;
    final CellView view;
    final Draft draft;
    final Commitments inFlight;
    final Surroundings surroundings;
    private final TransactionStamp stamp;
    private final PoolDraft pools = new PoolDraft();
    private List<Claimed> fresh = new ArrayList<>();
    private List<Claimed> proposed = new ArrayList<>();
    private final DraftedClaims counts = new DraftedClaims();
    private final List<DraftedItem> items = new ArrayList<>();
    private final List<DraftedItem> proposedItems = new ArrayList<>();
    private final Set<TaskId> ending = new HashSet<>();
    private final Map<JobId, OwnHolds> holds = new HashMap<>();
    private @Nullable Rights rights;
    private final boolean hasHolds;
    private int transactions;
    private volatile boolean givenUp;

    Drafting(
            int place,
            CellView view,
            Draft draft,
            Commitments inFlight,
            TransactionStamp stamp,
            Surroundings surroundings) {
        this(place, view, draft, inFlight, stamp, surroundings, true);
    }

    private Drafting(
            int place,
            CellView view,
            Draft draft,
            Commitments inFlight,
            TransactionStamp stamp,
            Surroundings surroundings,
            boolean hasHolds) {
        this.place = place;
        this.view = view;
        this.draft = draft;
        this.inFlight = inFlight;
        this.stamp = stamp;
        this.surroundings = surroundings;
        this.hasHolds = hasHolds;
    }

    // ---- giving up

    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    void checkAwaited() {
        if (givenUp) {
            throw new IllegalStateException("this plan took too long and was given up");
        }
    }

    // ---- questions

    SessionId session() {
        return stamp.session();
    }

    String scheduler() {
        return stamp.scheduler();
    }

    /** Another drafting on the same cell, from which nothing is proposed. No job has there what it holds. */
    Drafting withoutHoldsOn(Draft other) {
        return new Drafting(place, view, other, Commitments.none(), stamp, surroundings.with(Optional.empty()), false);
    }

    int claimsMax() {
        return stamp.claimsMax();
    }

    Rights rights() {
        Rights known = rights;
        if (known == null) {
            known = view.rights(stamp.scheduler());
            rights = known;
        }
        return known;
    }

    /** What the job holds on machines and has not claimed. */
    OwnHolds holdsOf(JobId job) {
        boolean holdsNothing = holds.isEmpty()
                && view.job(job).map(row -> view.holdsOf(row).isEmpty()).orElse(true);
        if (!hasHolds || holdsNothing) {
            return OwnHolds.NONE;
        }
        return holds.computeIfAbsent(
                job, id -> view.job(id).map(row -> OwnHolds.of(view, row)).orElse(OwnHolds.NONE));
    }

    boolean fits(int machine, Amounts shape, OwnHolds own) {
        return view.isReady(machine) && firstLacking(machine, shape, own) < 0 && isWithinQuota(machine, shape, own);
    }

    /** A job with holds may be over its quota on one machine and not on another; for other jobs it is one answer. */
    private boolean isWithinQuota(int machine, Amounts shape, OwnHolds own) {
        return own.isEmpty() || overQuota(own.limited(), shape, own.on(machine).min(shape)) == null;
    }

    int firstLacking(int machine, Amounts shape, OwnHolds own) {
        return draft.firstLacking(machine, own.isEmpty() ? shape : own.beyond(machine, shape));
    }

    Set<TaskId> ending() {
        Set<TaskId> all = new HashSet<>(inFlight.ending());
        all.addAll(ending);
        return all;
    }

    boolean isEnding(TaskId task) {
        return ending.contains(task) || inFlight.isEnding(task);
    }

    /** The first pool that the claim of such amounts would exceed, with the dimension; null if none. */
    @Nullable
    OverQuota overQuota(List<PoolRow> limited, Amounts shape, Amounts held) {
        for (PoolRow pool : limited) {
            int dimension = PoolDraft.firstOver(pool, shape, held, inFlight.pools(), pools);
            if (dimension >= 0) {
                return new OverQuota(
                        pool,
                        view.dimensions().nameAt(dimension),
                        pool.limits().at(dimension),
                        pool.use(dimension)
                                + inFlight.pools().counted(pool, dimension)
                                + pools.counted(pool, dimension)
                                + shape.at(dimension)
                                - held.at(dimension)
                                - pool.limits().at(dimension));
            }
        }
        return null;
    }

    /** A search for room for the shape, if the host says where room may have grown. A request for named members has none. */
    @Nullable
    RoomSearch search(Amounts shape, @Nullable MachineSet within) {
        FullMachines full = surroundings.full().orElse(null);
        return full == null || shape.namesMembers() ? null : new RoomSearch(full, shape, within);
    }

    private void gained(Claimed claim) {
        surroundings.full().ifPresent(full -> full.gained(claim.machine));
    }

    private void gainedAnywhere() {
        surroundings.full().ifPresent(FullMachines::forget);
    }

    // ---- claims

    void claim(GroupRow group, int index, int machine, OwnHolds own, List<PoolRow> limited) {
        Amounts shape = group.header().shape();
        Amounts asked = own.isEmpty() ? shape : shape.choosing(own.on(machine).members());
        Amounts held = own.isEmpty() ? Amounts.NONE : own.take(machine, asked);
        Amounts taken = draft.take(machine, asked.minus(held));
        add(new Claimed(group, index, machine, held, taken, List.of()), limited, taken);
    }

    void claimEvicting(GroupRow group, int index, int machine, List<TaskRow> victims, List<PoolRow> limited) {
        draft.takeOver(machine, group.header().shape(), victims);
        victims.forEach(victim -> ending.add(victim.id()));
        gainedAnywhere();
        Amounts shape = group.header().shape();
        add(new Claimed(group, index, machine, Amounts.NONE, shape, List.copyOf(victims)), limited, shape);
    }

    private void add(Claimed claim, List<PoolRow> limited, Amounts more) {
        for (PoolRow pool : limited) {
            pools.count(pool, more, 1);
        }
        inFlight.tasks().add(claim.job().version(), claim.group.place(), claim.index, claim.machine);
        fresh.add(claim);
        counts.claimed(claim.group);
    }

    /** How many tasks of the group this plan has claimed machines for. */
    int claimsOf(GroupRow group) {
        return counts.all(group);
    }

    int unproposed() {
        return fresh.size();
    }

    boolean hasUnproposed() {
        return !fresh.isEmpty() || !items.isEmpty();
    }

    /** How many claims for the group are not in a proposal yet. */
    int unproposed(GroupRow group) {
        return counts.fresh(group);
    }

    /** How many claims for the job are not in a proposal yet. */
    int unproposed(JobId job) {
        return view.job(job).map(counts::fresh).orElse(0);
    }

    /** Returns whether a claim for the job is in no proposal yet, also one for a queue or for spare work. */
    boolean asksForPlaces(JobId job) {
        return unproposed(job) > 0
                || items.stream()
                        .anyMatch(item ->
                                item.claims().isPresent() && item.asking().equals(Optional.of(job)));
    }

    // ---- other items

    void add(DraftedItem item) {
        item.ends().ifPresent(task -> ending.add(task.id()));
        item.claims().ifPresent(this::speakFor);
        item.takeOn(draft);
        items.add(item);
        gainedAnywhere();
    }

    boolean asksHolds(JobId job) {
        return inFlight.holding().contains(job)
                || items.stream().anyMatch(item -> item.asksHoldFor(job))
                || proposedItems.stream().anyMatch(item -> item.asksHoldFor(job));
    }

    // ---- taking back

    /** Takes back the claims that are not in a proposal yet. */
    void undo() {
        undo(fresh.size(), claim -> true);
    }

    /** Takes back the job's claims that are not in a proposal yet. */
    void undo(JobId job) {
        undo(unproposed(job), claim -> claim.job().equals(job));
    }

    /** Takes back the group's claims that are not in a proposal yet. */
    void undo(GroupRow group) {
        undo(counts.fresh(group), claim -> claim.group == group);
    }

    private void undo(int count, Predicate<Claimed> which) {
        List<Claimed> undone = takeBack(fresh, count, which);
        boolean evicts = undone.stream().anyMatch(claim -> !claim.victims.isEmpty());
        for (Claimed claim : undone) {
            counts.takenBack(claim.group);
            unspeakFor(claim);
            holdsOf(claim.job()).give(claim.machine, claim.held);
            PoolDraft.limited(view.pool(claim.group.job().header().pool()))
                    .forEach(pool -> pools.count(pool, claim.taken, -1));
            claim.victims.forEach(victim -> ending.remove(victim.id()));
            if (!evicts) {
                draft.give(claim.machine, claim.taken);
                gained(claim);
            }
        }
        if (evicts) {
            redraft();
            gainedAnywhere();
        }
    }

    /**
     * Removes that many matching items, which must be there, and returns them in their order. They are mostly the last ones;
     * then no other item is looked at or moved.
     */
    static <T> List<T> takeBack(List<T> from, int count, Predicate<? super T> which) {
        int first = from.size();
        for (int found = 0; found < count; ) {
            first--;
            found += which.test(from.get(first)) ? 1 : 0;
        }
        List<T> taken = new ArrayList<>(count);
        int end = first;
        for (T each : from.subList(first, from.size())) {
            if (which.test(each)) {
                taken.add(each);
            } else {
                from.set(end++, each);
            }
        }
        from.subList(end, from.size()).clear();
        return taken;
    }

    /** Amounts that evictions moved cannot be given back one by one. */
    private void redraft() {
        draft.clear();
        inFlight.base().accept(draft);
        proposed.forEach(this::retake);
        fresh.forEach(this::retake);
        proposedItems.forEach(item -> item.takeOn(draft));
        items.forEach(item -> item.takeOn(draft));
    }

    private void retake(Claimed claim) {
        if (claim.victims.isEmpty()) {
            draft.take(claim.machine, claim.taken);
        } else {
            draft.takeOver(claim.machine, claim.taken, claim.victims);
        }
    }

    private void speakFor(DraftedItem.Claimed claim) {
        GroupRow group = claim.group();
        inFlight.tasks().add(group.job().id().version(), group.place(), claim.index(), claim.machine());
    }

    private void unspeakFor(DraftedItem item) {
        item.claims()
                .ifPresent(claim -> inFlight.tasks()
                        .remove(
                                claim.group().job().id().version(),
                                claim.group().place(),
                                claim.index()));
    }

    private void unspeakFor(Claimed claim) {
        inFlight.tasks().remove(claim.job().version(), claim.group.place(), claim.index);
    }

    /** The plan is over. From now on its tasks are reserved only by its transactions in flight. */
    void close() {
        if (!givenUp) {
            forgetWhatIsDrafted();
            fresh.forEach(this::unspeakFor);
            proposed.forEach(this::unspeakFor);
            items.forEach(this::unspeakFor);
            proposedItems.forEach(this::unspeakFor);
            fresh.clear();
            proposed.clear();
        }
    }

    /** Its drafts may become no transaction. */
    private void forgetWhatIsDrafted() {
        if (surroundings.full().isEmpty()) {
            return;
        }
        if (items.isEmpty() && proposedItems.isEmpty() && ending.isEmpty()) {
            fresh.forEach(this::gained);
            proposed.forEach(this::gained);
        } else {
            gainedAnywhere();
        }
    }

    // ---- proposals

    /** Everything of the job that is not in a proposal yet. Mostly there is only one job. */
    List<Proposal> propose(JobId job, boolean onlyJob, Atomicity atomicity, ConflictRule conflictRule) {
        if (onlyJob && items.isEmpty()) {
            checkOnly(job);
            return propose(takeFresh(), List.of(), atomicity, conflictRule);
        }
        List<Claimed> claims = take(fresh, proposed, claim -> claim.job().equals(job));
        claims.forEach(claim -> counts.proposed(claim.group));
        return propose(
                claims,
                take(items, proposedItems, item -> item.asking().equals(Optional.of(job))),
                atomicity,
                conflictRule);
    }

    /** Everything that is not in a proposal yet. */
    List<Proposal> propose(Atomicity atomicity, ConflictRule conflictRule) {
        List<DraftedItem> taken = items.isEmpty() ? List.of() : take(items, proposedItems, item -> true);
        return propose(takeFresh(), taken, atomicity, conflictRule);
    }

    /** All claims that are not in a proposal yet. Mostly nothing was proposed before, and nothing is copied. */
    private List<Claimed> takeFresh() {
        List<Claimed> taken = fresh;
        fresh = new ArrayList<>();
        taken.forEach(claim -> counts.proposed(claim.group));
        if (proposed.isEmpty()) {
            proposed = taken;
        } else {
            proposed.addAll(taken);
        }
        return taken;
    }

    private static <T> List<T> take(List<T> from, List<T> to, Predicate<T> which) {
        List<T> taken = new ArrayList<>(from.size());
        List<T> left = new ArrayList<>();
        for (T each : from) {
            (which.test(each) ? taken : left).add(each);
        }
        from.clear();
        from.addAll(left);
        to.addAll(taken);
        return taken;
    }

    private void checkOnly(JobId job) {
        for (Claimed claim : fresh) {
            if (!claim.job().equals(job)) {
                throw new IllegalStateException("the planner drafts for job " + claim.job() + ", whose turn it is not");
            }
        }
    }

    /** The jobs with items that are not in a proposal yet. */
    Set<JobId> unproposedJobs() {
        if (fresh.isEmpty() && items.isEmpty()) {
            return Set.of();
        }
        Set<JobId> jobs = new LinkedHashSet<>();
        GroupRow last = null;
        for (Claimed claim : fresh) {
            if (claim.group != last) {
                last = claim.group;
                jobs.add(claim.job());
            }
        }
        items.forEach(item -> item.asking().ifPresent(jobs::add));
        return jobs;
    }

    private List<Proposal> propose(
            List<Claimed> claims, List<DraftedItem> others, Atomicity atomicity, ConflictRule conflictRule) {
        Proposing proposing = new Proposing(atomicity, conflictRule);
        if (others.isEmpty()) {
            proposing.claims(claims, others);
            return proposing.made;
        }
        proposing.claims(claims, others.stream().filter(item -> !item.isHold()).toList());
        proposing.holds(others.stream().filter(DraftedItem::isHold).toList());
        return proposing.made;
    }

    /** Makes transactions under one set of rules. */
    private final class Proposing {
        final List<Proposal> made = new ArrayList<>();
        private final Atomicity atomicity;
        private final ConflictRule conflictRule;

        Proposing(Atomicity atomicity, ConflictRule conflictRule) {
            this.atomicity = atomicity;
            this.conflictRule = conflictRule;
        }

        void claims(List<Claimed> claims, List<DraftedItem> others) {
            Map<GroupRow, List<Claimed>> gangs = new LinkedHashMap<>();
            List<Claimed> alone = claims;
            if (atomicity == Atomicity.INCREMENTAL && hasGang(claims)) {
                alone = new ArrayList<>();
                for (Claimed each : claims) {
                    boolean isOfGang = needs(each.group) > 0;
                    (isOfGang ? gangs.computeIfAbsent(each.group, group -> new ArrayList<>()) : alone).add(each);
                }
            }
            gangs.forEach((gang, ofGang) -> propose(ofGang, List.of(), needs(gang)));
            propose(alone, others, atomicity == Atomicity.ALL_OR_NOTHING ? alone.size() + others.size() : 0);
        }

        private boolean hasGang(List<Claimed> claims) {
            for (Claimed each : claims) {
                if (needs(each.group) > 0) {
                    return true;
                }
            }
            return false;
        }

        /**
         * @param together how many of the items are atomic; they go into one transaction
         */
        private void propose(List<Claimed> claims, List<DraftedItem> others, int together) {
            if (together > stamp.claimsMax()) {
                throw new IllegalStateException(
                        "a transaction has at most " + stamp.claimsMax() + " items, not " + together);
            }
            int nextOther = 0;
            for (int from = 0; from < claims.size() || nextOther < others.size(); ) {
                Transaction.Builder transaction = begin();
                int to = endOfPart(claims, from);
                transaction.expectClaims(to - from);
                if (from == 0 && atomicity == Atomicity.INCREMENTAL) {
                    transaction.minClaims(together);
                }
                int room = stamp.claimsMax() - addClaims(transaction, claims.subList(from, to));
                for (; nextOther < others.size() && room > 0; room--) {
                    others.get(nextOther++).addTo(transaction);
                }
                from = to;
                add(transaction);
            }
        }

        /** A claim and its evictions must be in one transaction. */
        private int endOfPart(List<Claimed> claims, int from) {
            if (ending.isEmpty()) {
                return Math.min(claims.size(), from + stamp.claimsMax());
            }
            int room = stamp.claimsMax();
            int to = from;
            while (to < claims.size() && room > claims.get(to).victims.size()) {
                room -= 1 + claims.get(to).victims.size();
                to++;
            }
            return to;
        }

        private int addClaims(Transaction.Builder transaction, List<Claimed> claims) {
            int items = claims.size();
            for (Claimed claim : claims) {
                JobRow job = claim.group.job();
                transaction.claim(
                        job.id().version(), claim.group.place(), claim.index, job.generation(), claim.machine);
            }
            return ending.isEmpty() ? items : items + addVictims(transaction, claims);
        }

        private int addVictims(Transaction.Builder transaction, List<Claimed> claims) {
            int items = 0;
            for (int place = 0; place < claims.size(); place++) {
                for (TaskRow victim : claims.get(place).victims) {
                    transaction.evict(DraftedItem.eviction(victim, place));
                    items++;
                }
            }
            return items;
        }

        /** Holds are granted all or none: a part of them would only keep machines from others. */
        void holds(List<DraftedItem> holds) {
            for (int from = 0; from < holds.size(); from += stamp.claimsMax()) {
                Transaction.Builder transaction =
                        stamp.begin(view, transactions++).atomicity(Atomicity.ALL_OR_NOTHING);
                holds.subList(from, Math.min(holds.size(), from + stamp.claimsMax()))
                        .forEach(item -> item.addTo(transaction));
                add(transaction);
            }
        }

        private Transaction.Builder begin() {
            return stamp.begin(view, transactions++).atomicity(atomicity).conflictRule(conflictRule);
        }

        private void add(Transaction.Builder transaction) {
            made.add(new Proposal(place, transaction.build()));
        }
    }

    // ---- gangs

    /** How many tasks of the group one transaction must place, because none may start before that many are placed. */
    int needs(GroupRow group) {
        if (group.header().gang().isEmpty()) {
            return 0;
        }
        int started = group.header().count() - group.pending();
        return Math.max(0, group.header().gang().get().min() - started);
    }

    /** Returns whether this plan has claimed machines for tasks of a gang, and for too few to start it. */
    boolean hasPartOfGang(GroupRow group) {
        int claims = claimsOf(group);
        return claims > 0 && claims < needs(group);
    }

    // ---- making items

    DraftedItem hold(JobId job, int machine, Amounts amounts, long expiresAfterMillis) {
        return new DraftedItem.Hold(new HoldRequest(job, machine, amounts, expiresAfterMillis));
    }

    DraftedItem step(Step.Kind kind, TaskRow task) {
        return new DraftedItem.Stepped(kind, task);
    }

    DraftedItem scale(JobRow job, int group, int count) {
        OptionalInt expected = view.featureLevel() >= EntryCodec.EXPECTED_COUNT_LEVEL
                ? OptionalInt.of(job.group(group).header().count())
                : OptionalInt.empty();
        return new DraftedItem.Scaled(new Scale(job.id(), group, job.generation(), count, expected));
    }

    DraftedItem remember(JobId job, Progress progress) {
        return new DraftedItem.Remembered(job, progress);
    }
}
