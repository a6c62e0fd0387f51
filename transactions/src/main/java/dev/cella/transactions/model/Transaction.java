package dev.cella.transactions.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The claims, evictions, holds, steps and scales of one scheduling attempt, committed together (SEMANTICS section 5).
 *
 * <p>A task is named by a reference (job, group, generation) and its index, a machine by its slot ({@link Claims}). A slot is
 * valid only with a version, so the transaction names the version at which its slots were read ({@link #machinesAsOf}): a
 * machine that was registered later is another incarnation, and the claim is refused.
 *
 * <p>Immutable, so threads may share it. Made by {@link #builder}.
 */
public final class Transaction {
    public static final int CLAIMS_MAX = 10_000;

    private final TransactionId id;
    private final String scheduler;
    private final Optional<SessionId> session;
    private final Incarnation incarnation;
    private final CellVersion basis;
    private final CellVersion machinesAsOf;
    private final Atomicity atomicity;
    private final ConflictRule conflictRule;
    private final boolean seesOwn;
    private final int minClaims;
    private final Claims claims;
    private final List<Eviction> evictions;
    private final List<HoldRequest> holds;
    private final List<Step> steps;
    private final List<Scale> scales;
    private final Map<JobId, Progress> progress;
    private final List<OfferId> offers;
    private final boolean keepsOffers;
    private final List<OfferId> rescinds;
    private final OptionalLong askedInNames;

    private Transaction(Builder builder) {
        id = builder.id;
        scheduler = builder.scheduler;
        session = builder.session;
        incarnation = builder.incarnation;
        basis = builder.basis;
        machinesAsOf = builder.machinesAsOf.orElse(builder.basis);
        atomicity = builder.atomicity;
        conflictRule = builder.conflictRule;
        seesOwn = builder.seesOwn;
        minClaims = builder.minClaims;
        claims = builder.claims.claims();
        evictions = List.copyOf(builder.evictions);
        holds = List.copyOf(builder.holds);
        steps = List.copyOf(builder.steps);
        scales = List.copyOf(builder.scales);
        progress = builder.progress.isEmpty()
                ? Map.of()
                : Collections.unmodifiableMap(new LinkedHashMap<>(builder.progress));
        offers = List.copyOf(builder.offers);
        keepsOffers = builder.keepsOffers;
        rescinds = List.copyOf(builder.rescinds);
        askedInNames = builder.askedInNames;
    }

    public static Builder builder(TransactionId id, String scheduler) {
        return new Builder(id, scheduler);
    }

    public TransactionId id() {
        return id;
    }

    public String scheduler() {
        return scheduler;
    }

    public Optional<SessionId> session() {
        return session;
    }

    /** The session's number, or 0. */
    public long sessionVersion() {
        return session.isPresent() ? session.get().version() : 0;
    }

    /** The history that the versions in it belong to; {@link Incarnation#UNSAID} trusts the door. */
    public Incarnation incarnation() {
        return incarnation;
    }

    /**
     * The version that the planner's replica showed; {@link CellVersion#NONE} means the version at which it is decided.
     */
    public CellVersion basis() {
        return basis;
    }

    /** The version of the machine slots: the basis, or a later one if a door looked up names. */
    public CellVersion machinesAsOf() {
        return machinesAsOf;
    }

    public Atomicity atomicity() {
        return atomicity;
    }

    public ConflictRule conflictRule() {
        return conflictRule;
    }

    /** Returns whether the planner's view showed the claims of its own session that were still in flight. */
    public boolean seesOwn() {
        return seesOwn;
    }

    /** If fewer claims are accepted, the whole transaction is refused; 0 means no minimum. */
    public int minClaims() {
        return minClaims;
    }

    public int claims() {
        return claims.count();
    }

    /**
     * Throws if a claim names a task that no cell can have, or more alternates than a claim may have. Logs have such
     * transactions, with the outcome that they got, so only what clients send is checked.
     */
    public void checkClaims() {
        claims.check();
    }

    /** Claim {@code i} as a value, for code where speed does not matter. */
    public Claim claim(int i) {
        return claims.claim(i);
    }

    public TaskId task(int claim) {
        return claims.task(claim);
    }

    public int generation(int claim) {
        return claims.referenceGeneration(claims.reference(claim));
    }

    /** The slot of the first choice of claim {@code claim}. */
    public int machine(int claim) {
        return claims.machine(claim);
    }

    public int index(int claim) {
        return claims.index(claim);
    }

    /** How many alternates the claim has. */
    public int alternates(int claim) {
        return claims.alternates(claim);
    }

    /** The slot of the alternate at {@code place} of the claim. */
    public int alternate(int claim, int place) {
        return claims.alternate(claim, place);
    }

    /** The amounts that the planner expects the task to ask for, if it stated them. */
    public Optional<Amounts> amounts(int claim) {
        return claims.amounts(claim);
    }

    /** Returns whether any claim states the amounts that it expects its task to ask for. */
    public boolean saysAmounts() {
        return claims.saysAmounts();
    }

    /**
     * Returns whether all claims are for tasks of one group in the order of their indexes. Then no two are for the same task.
     */
    public boolean claimsInOrder() {
        return claims.areInOrder();
    }

    /** The number of distinct (job, group, generation) that claims refer to. */
    public int references() {
        return claims.references();
    }

    /** The place of the claim's (job, group, generation) in the table of references. */
    public int reference(int claim) {
        return claims.reference(claim);
    }

    public long referenceJob(int reference) {
        return claims.referenceJob(reference);
    }

    public int referenceGroup(int reference) {
        return claims.referenceGroup(reference);
    }

    public int referenceGeneration(int reference) {
        return claims.referenceGeneration(reference);
    }

    public ClaimKind kind(int claim) {
        return claims.kind(claim);
    }

    /** Returns whether any claim is of another kind than PLACE. */
    public boolean saysKinds() {
        return claims.sayKinds();
    }

    /** Returns whether replicas know all of its items only from feature level 5 on. */
    public boolean isOfLevel5() {
        return saysKinds();
    }

    /** Returns whether a claim is for spare work, which no cell accepts below feature level 7. */
    public boolean claimsSpare() {
        for (int claim = 0; saysKinds() && claim < claims(); claim++) {
            if (kind(claim) == ClaimKind.SPARE) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether replicas know all of its items only from feature level 7 on. */
    public boolean isOfLevel7() {
        for (Step step : steps) {
            if (step.kind() == Step.Kind.UPGRADE) {
                return true;
            }
        }
        return saysExpected();
    }

    /** Returns whether replicas know all of its items only from feature level 9 on. */
    public boolean isOfLevel9() {
        for (Step step : steps) {
            if (step.kind() == Step.Kind.COPY) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether any scale says the number of tasks that it expects. */
    public boolean saysExpected() {
        for (Scale scale : scales) {
            if (scale.expected().isPresent()) {
                return true;
            }
        }
        return false;
    }

    Claims flat() {
        return claims;
    }

    public List<Eviction> evictions() {
        return evictions;
    }

    public List<HoldRequest> holds() {
        return holds;
    }

    public List<Step> steps() {
        return steps;
    }

    public List<Scale> scales() {
        return scales;
    }

    /** The progress that its scheduler stores with its jobs if any item of the transaction is accepted. */
    public Map<JobId, Progress> progress() {
        return progress;
    }

    /** The offers that it accepts. The part that its claims do not use goes back, unless it keeps the offers. */
    public List<OfferId> offers() {
        return offers;
    }

    /** Returns whether the rest of its offers stays until they expire. */
    public boolean keepsOffers() {
        return keepsOffers;
    }

    /** The offers of its scheduler that it takes back. */
    public List<OfferId> rescinds() {
        return rescinds;
    }

    /** The number of results its outcome has: claims, evictions, holds, steps, scales, in this order. */
    public int items() {
        return claims.count() + evictions.size() + holds.size() + steps.size() + scales.size();
    }

    /**
     * A digest of the request as a door received it, in names. A retry repeats the names, although they may mean other objects
     * by then.
     */
    public OptionalLong askedInNames() {
        return askedInNames;
    }

    /**
     * A digest of the request, to distinguish a retry from another transaction with the same id. It uses the names of the
     * request if there were any, otherwise the identities.
     */
    public long digest() {
        return askedInNames.orElseGet(() -> new TransactionDigest(this).value());
    }

    /** A digest of what the transaction asks for. Two that ask for the same have the same, whatever their ids and bases are. */
    public long contentDigest() {
        return new TransactionDigest(this).content();
    }

    @Override
    public String toString() {
        return id + " by " + scheduler + " at " + basis + ": " + claims.count() + " claims, " + evictions.size()
                + " evictions, " + holds.size() + " holds, " + steps.size() + " steps";
    }

    /** Collects a transaction. Belongs to one thread; {@link #build} may be called more than once. */
    public static final class Builder {
        private final TransactionId id;
        private final String scheduler;
        private Optional<SessionId> session = Optional.empty();
        private Incarnation incarnation = Incarnation.UNSAID;
        private CellVersion basis = CellVersion.NONE;
        private Optional<CellVersion> machinesAsOf = Optional.empty();
        private Atomicity atomicity = Atomicity.INCREMENTAL;
        private ConflictRule conflictRule = ConflictRule.RESOURCE;
        private boolean seesOwn;
        private int minClaims;
        private final Claims.Collector claims = new Claims.Collector();
        private final List<Eviction> evictions = new ArrayList<>();
        private final List<HoldRequest> holds = new ArrayList<>();
        private final List<Step> steps = new ArrayList<>();
        private final List<Scale> scales = new ArrayList<>();
        private final Map<JobId, Progress> progress = new LinkedHashMap<>();
        private final List<OfferId> offers = new ArrayList<>();
        private boolean keepsOffers;
        private final List<OfferId> rescinds = new ArrayList<>();
        private OptionalLong askedInNames = OptionalLong.empty();

        private Builder(TransactionId id, String scheduler) {
            Labels.checkName("scheduler", scheduler);
            this.id = id;
            this.scheduler = scheduler;
        }

        public Builder session(SessionId of) {
            session = Optional.of(of);
            return this;
        }

        public Builder incarnation(Incarnation of) {
            incarnation = of;
            return this;
        }

        public Builder basis(CellVersion version) {
            basis = version;
            return this;
        }

        /** Sets the version of the machine slots, if they were looked up later than the basis. */
        public Builder machinesAsOf(CellVersion version) {
            machinesAsOf = Optional.of(version);
            return this;
        }

        /** Sets a digest of the names as they were written, for a door that turned names into identities. */
        public Builder askedInNames(long digest) {
            askedInNames = OptionalLong.of(digest);
            return this;
        }

        public Builder atomicity(Atomicity chosen) {
            atomicity = chosen;
            return this;
        }

        public Builder conflictRule(ConflictRule chosen) {
            conflictRule = chosen;
            return this;
        }

        public Builder seesOwn(boolean sees) {
            seesOwn = sees;
            return this;
        }

        public Builder minClaims(int min) {
            minClaims = min;
            return this;
        }

        public Builder claim(Claim claim) {
            claim(claim.task(), claim.generation(), claim.machine());
            claim.alternates().forEach(this::alternate);
            claim.amounts().ifPresent(this::amounts);
            return kind(claim.kind());
        }

        /** Adds a claim: the task as of the generation planned for, on the machine at that slot. */
        public Builder claim(TaskId task, int generation, int machine) {
            return claim(task.job().version(), task.group(), task.index(), generation, machine);
        }

        /** Adds a claim without making a {@link TaskId} for it. */
        public Builder claim(long job, int group, int index, int generation, int machine) {
            claims.claim(job, group, index, generation, machine);
            return this;
        }

        /** Sets the whole table of references, before the first claim; for a codec. */
        public Builder references(long[] jobs, int[] groups, int[] generations) {
            claims.references(jobs, groups, generations);
            return this;
        }

        /** Makes room for that many claims, before the first one. */
        public Builder expectClaims(int count) {
            claims.expect(count);
            return this;
        }

        /** Adds a claim of a reference in the table; for a codec. */
        public Builder claimOf(int reference, int index, int machine) {
            claims.claimOf(reference, index, machine);
            return this;
        }

        /** Gives the last claim one more machine to try. */
        public Builder alternate(int machine) {
            claims.alternate(machine);
            return this;
        }

        /**
         * States the amounts that the planner expects the task of the last claim to ask for. Empty amounts count as not
         * stated.
         */
        public Builder amounts(Amounts amounts) {
            claims.amounts(amounts);
            return this;
        }

        /** Sets the kind of the last claim, which is PLACE otherwise. */
        public Builder kind(ClaimKind kind) {
            claims.kind(kind);
            return this;
        }

        public Builder evict(Eviction eviction) {
            evictions.add(eviction);
            return this;
        }

        public Builder hold(HoldRequest hold) {
            holds.add(hold);
            return this;
        }

        public Builder step(Step step) {
            steps.add(step);
            return this;
        }

        public Builder scale(Scale scale) {
            scales.add(scale);
            return this;
        }

        /** Stores progress of a job for its scheduler; empty progress deletes it. */
        public Builder progress(JobId job, Progress remembered) {
            progress.put(job, remembered);
            return this;
        }

        /** Accepts an offer. */
        public Builder offer(OfferId accepted) {
            offers.add(accepted);
            return this;
        }

        public Builder keepsOffers(boolean keeps) {
            keepsOffers = keeps;
            return this;
        }

        /** Takes an offer back. */
        public Builder rescind(OfferId made) {
            rescinds.add(made);
            return this;
        }

        public int claims() {
            return claims.count();
        }

        /** Checks what can be checked without a cell. */
        public Transaction build() {
            int items = claims() + evictions.size() + holds.size() + steps.size() + scales.size();
            boolean saysMore = !progress.isEmpty() || !offers.isEmpty() || !rescinds.isEmpty();
            if ((items == 0 && !saysMore) || items > CLAIMS_MAX) {
                throw new IllegalArgumentException("a transaction has 1 to " + CLAIMS_MAX + " items, not " + items);
            }
            if (progress.size() > CLAIMS_MAX) {
                throw new IllegalArgumentException(
                        "a transaction remembers progress of at most " + CLAIMS_MAX + " jobs, not " + progress.size());
            }
            if (offers.size() > CLAIMS_MAX || rescinds.size() > CLAIMS_MAX) {
                throw new IllegalArgumentException("a transaction names at most " + CLAIMS_MAX + " offers");
            }
            if (minClaims < 0 || minClaims > claims()) {
                throw new IllegalArgumentException("minClaims " + minClaims + " of " + claims() + " claims");
            }
            for (Eviction eviction : evictions) {
                if (eviction.forClaim().orElse(0) < 0 || eviction.forClaim().orElse(-1) >= claims()) {
                    throw new IllegalArgumentException("an eviction is for claim " + eviction.forClaim());
                }
            }
            return new Transaction(this);
        }
    }
}
