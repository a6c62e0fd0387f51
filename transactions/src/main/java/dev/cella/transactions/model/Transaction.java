package dev.cella.transactions.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The claims, evictions, holds and steps of one scheduling attempt, committed together (SEMANTICS section 5).
 *
 * <p>Claims are kept flat: a task is named by a reference (job, group, generation: few a transaction) and its index, a
 * machine by its slot. A slot alone says nothing, so the transaction says as of which version its slots were read ({@link
 * #machinesAsOf}): a machine that was registered later is another incarnation, and the claim is refused.
 *
 * <p>Immutable, and so free to be shared between threads. Made by {@link #builder}.
 */
public final class Transaction {
    public static final int CLAIMS_MAX = 10_000;
    private static final long CLAIM_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long JOB_FACTOR = 0xC2B2AE3D27D4EB4FL;
    private static final long TASK_FACTOR = 0xD6E8FEB86659FD93L;
    private static final int[] NO_INTS = new int[0];

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
    private final long[] referenceJobs;
    private final int[] referenceGroups;
    private final int[] referenceGenerations;
    private final int claims;
    private final int[] claimReferences;
    private final int[] claimIndexes;
    private final int[] claimMachines;
    private final int[] alternateEnds;
    private final int[] alternates;
    private final Map<Integer, Amounts> claimAmounts;
    private final List<Eviction> evictions;
    private final List<HoldRequest> holds;
    private final List<Step> steps;
    private final List<Scale> scales;
    private final Map<JobId, Progress> progress;
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
        referenceJobs = Arrays.copyOf(builder.referenceJobs, builder.references);
        referenceGroups = trimmed(builder.referenceGroups, builder.references);
        referenceGenerations = trimmed(builder.referenceGenerations, builder.references);
        claims = builder.claims;
        claimReferences = trimmed(builder.claimReferences, claims);
        claimIndexes = trimmed(builder.claimIndexes, claims);
        claimMachines = trimmed(builder.claimMachines, claims);
        alternateEnds = Arrays.copyOf(builder.alternateEnds, claims);
        alternates = trimmed(builder.alternates, builder.alternateCount);
        claimAmounts = new LinkedHashMap<>(builder.claimAmounts);
        evictions = List.copyOf(builder.evictions);
        holds = List.copyOf(builder.holds);
        steps = List.copyOf(builder.steps);
        scales = List.copyOf(builder.scales);
        progress = Collections.unmodifiableMap(new LinkedHashMap<>(builder.progress));
        askedInNames = builder.askedInNames;
    }

    /** A builder that goes on after a build grows arrays of its own, and writes no more into those it has filled. */
    private static int[] trimmed(int[] filled, int length) {
        if (length == 0) {
            return NO_INTS;
        }
        return filled.length == length ? filled : Arrays.copyOf(filled, length);
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
        return claims;
    }

    /** Claim {@code i} as a value, for readers that are not in a hurry. */
    public Claim claim(int i) {
        List<Integer> others = new ArrayList<>();
        for (int place = 0; place < alternates(i); place++) {
            others.add(alternate(i, place));
        }
        return new Claim(task(i), generation(i), machine(i), others, amounts(i));
    }

    public TaskId task(int claim) {
        return new TaskId(new JobId(referenceJob(reference(claim))), referenceGroup(reference(claim)), index(claim));
    }

    public int generation(int claim) {
        return referenceGenerations[claimReferences[claim]];
    }

    /** The slot of the machine that claim {@code claim} wants first. */
    public int machine(int claim) {
        return claimMachines[claim];
    }

    public int index(int claim) {
        return claimIndexes[claim];
    }

    /** How many alternates the claim has. */
    public int alternates(int claim) {
        return alternateEnds[claim] - alternatesFrom(claim);
    }

    /** The slot of the alternate at {@code place} of the claim. */
    public int alternate(int claim, int place) {
        return alternates[alternatesFrom(claim) + place];
    }

    private int alternatesFrom(int claim) {
        return claim == 0 ? 0 : alternateEnds[claim - 1];
    }

    /** What the planner thinks the task asks, where it said so. */
    public Optional<Amounts> amounts(int claim) {
        return saysAmounts() ? Optional.ofNullable(claimAmounts.get(claim)) : Optional.empty();
    }

    /** Whether any claim says what it thinks its task asks. */
    public boolean saysAmounts() {
        return !claimAmounts.isEmpty();
    }

    /** The number of distinct (job, group, generation) that claims refer to. */
    public int references() {
        return referenceJobs.length;
    }

    /** The place of the claim's (job, group, generation) in the table of references. */
    public int reference(int claim) {
        return claimReferences[claim];
    }

    public long referenceJob(int reference) {
        return referenceJobs[reference];
    }

    public int referenceGroup(int reference) {
        return referenceGroups[reference];
    }

    public int referenceGeneration(int reference) {
        return referenceGenerations[reference];
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

    /** The number of results its outcome has: claims, evictions, holds, steps, scales, in this order. */
    public int items() {
        return claims + evictions.size() + holds.size() + steps.size() + scales.size();
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
        return askedInNames.orElseGet(this::digestIdentities);
    }

    private long digestIdentities() {
        long digest = Digests.mix(
                Digests.of(scheduler), session.map(SessionId::version).orElse(0L));
        digest = Digests.mix(digest, basis.number());
        digest = Digests.mix(digest, digestModes());
        digest = Digests.mix(digest, minClaims);
        digest = digestClaims(digest);
        digest = Digests.mix(digest, digestEvictions());
        digest = Digests.mix(digest, digestHolds());
        return digestScales(Digests.mix(digest, digestSteps()));
    }

    /** Nothing where there is none of them, so that older digests stay what they are. */
    private long digestScales(long seed) {
        long digest = seed;
        for (Scale scale : scales) {
            digest = Digests.mix(digest, scale.job().version());
            digest = Digests.mix(digest, (long) scale.group() << 32 | scale.count());
            digest = Digests.mix(digest, scale.generation());
        }
        for (Map.Entry<JobId, Progress> said : progress.entrySet()) {
            digest = Digests.mix(
                    Digests.mix(digest, said.getKey().version()),
                    said.getValue().digest());
        }
        return digest;
    }

    private long digestModes() {
        return (atomicity == Atomicity.INCREMENTAL ? 1 : 0)
                | (conflictRule == ConflictRule.RESOURCE ? 2 : 0)
                | (seesOwn ? 4 : 0);
    }

    /** A claim costs one multiplication after another; those of its parts go on beside. */
    private long digestClaims(long seed) {
        long digest = Digests.mix(seed, claims);
        for (int generation : referenceGenerations) {
            digest = Digests.mix(digest, generation);
        }
        for (int claim = 0; claim < claims; claim++) {
            int reference = claimReferences[claim];
            long task = (long) referenceGroups[reference] << 32 | claimIndexes[claim];
            long machine = (long) claimMachines[claim] << 32 | alternateEnds[claim];
            digest = digest * CLAIM_FACTOR + referenceJobs[reference] * JOB_FACTOR + task * TASK_FACTOR + machine;
        }
        digest = Digests.mix(digest, alternates.length);
        for (int alternate : alternates) {
            digest = Digests.mix(digest, alternate);
        }
        for (Map.Entry<Integer, Amounts> said : claimAmounts.entrySet()) {
            digest = Digests.mix(
                    Digests.mix(digest, said.getKey()), said.getValue().digest());
        }
        return digest;
    }

    private long digestEvictions() {
        long digest = evictions.size();
        for (Eviction eviction : evictions) {
            digest = Digests.mix(digest, eviction.task().digest());
            digest = Digests.mix(digest, (long) eviction.forClaim().orElse(-1) << 32 | eviction.attempt());
        }
        return digest;
    }

    private long digestHolds() {
        long digest = holds.size();
        for (HoldRequest hold : holds) {
            digest = Digests.mix(digest, hold.job().version());
            digest = Digests.mix(
                    Digests.mix(digest, hold.machine()), hold.amounts().digest());
            digest = Digests.mix(digest, hold.expiresAfterMillis());
        }
        return digest;
    }

    private long digestSteps() {
        long digest = steps.size();
        for (Step step : steps) {
            digest = Digests.mix(digest, step.task().job().version());
            digest = Digests.mix(
                    digest, (long) step.task().group() << 32 | step.task().index());
            digest = Digests.mix(digest, digestOf(step.kind()) << 32 | step.attempt());
        }
        return digest;
    }

    private static long digestOf(Step.Kind kind) {
        return switch (kind) {
            case STOP -> 0;
            case AGAIN -> 1;
            case REPLACE -> 2;
        };
    }

    @Override
    public String toString() {
        return id + " by " + scheduler + " at " + basis + ": " + claims + " claims, " + evictions.size()
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
        private int references;
        private long[] referenceJobs = new long[2];
        private int[] referenceGroups = new int[2];
        private int[] referenceGenerations = new int[2];
        private int claims;
        private int[] claimReferences = new int[16];
        private int[] claimIndexes = new int[16];
        private int[] claimMachines = new int[16];
        private int[] alternateEnds = new int[16];
        private int alternateCount;
        private int[] alternates = new int[4];
        private final Map<Integer, Amounts> claimAmounts = new LinkedHashMap<>();
        private final List<Eviction> evictions = new ArrayList<>();
        private final List<HoldRequest> holds = new ArrayList<>();
        private final List<Step> steps = new ArrayList<>();
        private final List<Scale> scales = new ArrayList<>();
        private final Map<JobId, Progress> progress = new LinkedHashMap<>();
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
            if (claims == claimReferences.length) {
                growClaims();
            }
            claimReferences[claims] = refer(job, group, generation);
            claimIndexes[claims] = index;
            claimMachines[claims] = machine;
            alternateEnds[claims] = alternateCount;
            claims++;
            return this;
        }

        /** For a codec: the whole table of references, before the first claim. */
        public Builder references(long[] jobs, int[] groups, int[] generations) {
            references = jobs.length;
            referenceJobs = jobs;
            referenceGroups = groups;
            referenceGenerations = generations;
            return this;
        }

        /** For a codec: that many claims will follow. */
        public Builder expectClaims(int count) {
            claimReferences = new int[count];
            claimIndexes = new int[count];
            claimMachines = new int[count];
            alternateEnds = new int[count];
            return this;
        }

        /** For a codec: a claim of a reference in the table. */
        public Builder claimOf(int reference, int index, int machine) {
            claimReferences[claims] = reference;
            claimIndexes[claims] = index;
            claimMachines[claims] = machine;
            alternateEnds[claims] = alternateCount;
            claims++;
            return this;
        }

        /** Gives the claim added last one more machine to try. */
        public Builder alternate(int machine) {
            if (alternateCount == alternates.length) {
                alternates = Arrays.copyOf(alternates, 2 * alternateCount);
            }
            alternates[alternateCount++] = machine;
            alternateEnds[claims - 1] = alternateCount;
            return this;
        }

        /** Says what the planner thinks the task of the claim added last asks. */
        public Builder amounts(Amounts amounts) {
            claimAmounts.put(claims - 1, amounts);
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

        public int claims() {
            return claims;
        }

        /** Checks what can be checked without a cell. */
        public Transaction build() {
            int items = claims + evictions.size() + holds.size() + steps.size() + scales.size();
            if ((items == 0 && progress.isEmpty()) || items > CLAIMS_MAX || progress.size() > CLAIMS_MAX) {
                throw new IllegalArgumentException("a transaction has 1 to " + CLAIMS_MAX + " items, not " + items);
            }
            if (minClaims < 0 || minClaims > claims) {
                throw new IllegalArgumentException("minClaims " + minClaims + " of " + claims + " claims");
            }
            for (Eviction eviction : evictions) {
                if (eviction.forClaim().orElse(0) < 0 || eviction.forClaim().orElse(-1) >= claims) {
                    throw new IllegalArgumentException("an eviction is for claim " + eviction.forClaim());
                }
            }
            return new Transaction(this);
        }

        private int refer(long job, int group, int generation) {
            for (int place = references - 1; place >= 0; place--) {
                if (referenceJobs[place] == job
                        && referenceGroups[place] == group
                        && referenceGenerations[place] == generation) {
                    return place;
                }
            }
            if (references == referenceJobs.length) {
                growReferences();
            }
            referenceJobs[references] = job;
            referenceGroups[references] = group;
            referenceGenerations[references] = generation;
            return references++;
        }

        private void growClaims() {
            int length = 2 * claims;
            claimReferences = Arrays.copyOf(claimReferences, length);
            claimIndexes = Arrays.copyOf(claimIndexes, length);
            claimMachines = Arrays.copyOf(claimMachines, length);
            alternateEnds = Arrays.copyOf(alternateEnds, length);
        }

        private void growReferences() {
            int length = 2 * references;
            referenceJobs = Arrays.copyOf(referenceJobs, length);
            referenceGroups = Arrays.copyOf(referenceGroups, length);
            referenceGenerations = Arrays.copyOf(referenceGenerations, length);
        }
    }
}
