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
 * <p>A task is named by a reference (job, group, generation) and its index, a machine by its slot ({@link Claims}). A slot
 * alone says nothing, so the transaction says as of which version its slots were read ({@link #machinesAsOf}): a machine
 * that was registered later is another incarnation, and the claim is refused.
 *
 * <p>Immutable, and so free to be shared between threads. Made by {@link #builder}.
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

    /** Which history the versions in it belong to; {@link Incarnation#UNSAID} trusts the door. */
    public Incarnation incarnation() {
        return incarnation;
    }

    /** The version the planner's replica showed; {@link CellVersion#NONE} means the one at which it is decided. */
    public CellVersion basis() {
        return basis;
    }

    /** The version as of which machine slots are meant: the basis, or later where a door looked the names up. */
    public CellVersion machinesAsOf() {
        return machinesAsOf;
    }

    public Atomicity atomicity() {
        return atomicity;
    }

    public ConflictRule conflictRule() {
        return conflictRule;
    }

    /** Whether the planner's view showed the claims of its own session that were still in flight. */
    public boolean seesOwn() {
        return seesOwn;
    }

    /** Fewer accepted claims than this refuse the whole; 0 asks for nothing. */
    public int minClaims() {
        return minClaims;
    }

    public int claims() {
        return claims.count();
    }

    /** Claim {@code i} as a value, for readers that are not in a hurry. */
    public Claim claim(int i) {
        return claims.claim(i);
    }

    public TaskId task(int claim) {
        return claims.task(claim);
    }

    public int generation(int claim) {
        return claims.referenceGeneration(claims.reference(claim));
    }

    /** The slot of the machine that claim {@code claim} wants first. */
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

    /** What the planner thinks the task asks, where it said so. */
    public Optional<Amounts> amounts(int claim) {
        return claims.amounts(claim);
    }

    /** Whether any claim says what it thinks its task asks. */
    public boolean saysAmounts() {
        return claims.saysAmounts();
    }

    /** Whether all claims are for tasks of one group in the order of their indexes: then no two are for the same task. */
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

    /** What its scheduler wants to remember of its jobs, if anything of the transaction is accepted. */
    public Map<JobId, Progress> progress() {
        return progress;
    }

    /** The offers that it accepts: what its claims leave of them goes back, unless it keeps them. */
    public List<OfferId> offers() {
        return offers;
    }

    /** Whether what is left of its offers stays until it expires. */
    public boolean keepsOffers() {
        return keepsOffers;
    }

    /** Offers that its scheduler has made and takes back. */
    public List<OfferId> rescinds() {
        return rescinds;
    }

    /** The number of results its outcome has: claims, evictions, holds, steps, scales, in this order. */
    public int items() {
        return claims.count() + evictions.size() + holds.size() + steps.size() + scales.size();
    }

    /** A digest of what was asked of a door in names, which a retry repeats though the names may mean others by then. */
    public OptionalLong askedInNames() {
        return askedInNames;
    }

    /**
     * A digest of what it asks, to tell a retry from another transaction under the same id: what was asked in names, where
     * it was, else the identities.
     */
    public long digest() {
        return askedInNames.orElseGet(() -> new TransactionDigest(this).value());
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

        /** Where machine slots were looked up later than the basis; otherwise leave it alone. */
        public Builder machinesAsOf(CellVersion version) {
            machinesAsOf = Optional.of(version);
            return this;
        }

        /** For a door that turned names into identities: a digest of the names as they were written. */
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
            return this;
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

        /** For a codec: the whole table of references, before the first claim. */
        public Builder references(long[] jobs, int[] groups, int[] generations) {
            claims.references(jobs, groups, generations);
            return this;
        }

        /** Before the first claim: that many will follow. */
        public Builder expectClaims(int count) {
            claims.expect(count);
            return this;
        }

        /** For a codec: a claim of a reference in the table. */
        public Builder claimOf(int reference, int index, int machine) {
            claims.claimOf(reference, index, machine);
            return this;
        }

        /** Gives the claim added last one more machine to try. */
        public Builder alternate(int machine) {
            claims.alternate(machine);
            return this;
        }

        /** Says what the planner thinks the task of the claim added last asks; nothing is as if it were left out. */
        public Builder amounts(Amounts amounts) {
            claims.amounts(amounts);
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

        /** Remembers something of a job for its scheduler; nothing to forget what is remembered. */
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
