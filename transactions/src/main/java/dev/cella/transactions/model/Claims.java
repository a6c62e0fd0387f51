package dev.cella.transactions.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a transaction, kept flat. A task is named by a reference (job, group, generation; a transaction has few of
 * them) and its index, a machine by its slot. Arrays for rare parts (more than one reference, alternates) exist only in
 * transactions that have them. Immutable; collected by a {@link Collector}.
 */
final class Claims {
    private static final long CLAIM_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long JOB_FACTOR = 0xC2B2AE3D27D4EB4FL;
    private static final long TASK_FACTOR = 0xD6E8FEB86659FD93L;
    private static final int[] NO_INTS = new int[0];
    private static final @Nullable ClaimKind[] ALL_PLACE = new ClaimKind[0];

    private final long[] referenceJobs;
    private final int[] referenceGroups;
    private final int[] referenceGenerations;
    private final int count;
    private final boolean inOrder;
    private final int[] claimReferences;
    private final int[] claimIndexes;
    private final int[] claimMachines;
    private final int[] alternateEnds;
    private final int[] alternates;
    private final Map<Integer, Amounts> claimAmounts;

    /** The kinds of the claims; none of them stands for PLACE. */
    private final @Nullable ClaimKind[] kinds;

    private Claims(Collector collected) {
        referenceJobs = Arrays.copyOf(collected.referenceJobs, collected.references);
        referenceGroups = trimmed(collected.referenceGroups, collected.references);
        referenceGenerations = trimmed(collected.referenceGenerations, collected.references);
        count = collected.count;
        inOrder = collected.inOrder && collected.references <= 1;
        claimReferences = trimmed(collected.claimReferences, collected.references > 1 ? count : 0);
        claimIndexes = trimmed(collected.claimIndexes, count);
        claimMachines = trimmed(collected.claimMachines, count);
        alternateEnds = Arrays.copyOf(collected.alternateEnds, collected.alternateCount > 0 ? count : 0);
        alternates = trimmed(collected.alternates, collected.alternateCount);
        claimAmounts = collected.claimAmounts.isEmpty() ? Map.of() : new LinkedHashMap<>(collected.claimAmounts);
        kinds = collected.kinds.length == 0 ? ALL_PLACE : Arrays.copyOf(collected.kinds, count);
    }

    /**
     * Copies the array if it is too long, so that a collector that goes on after a build never writes into this one.
     */
    private static int[] trimmed(int[] filled, int length) {
        if (length == 0) {
            return NO_INTS;
        }
        return filled.length == length ? filled : Arrays.copyOf(filled, length);
    }

    int count() {
        return count;
    }

    boolean areInOrder() {
        return inOrder;
    }

    void check() {
        for (int claim = 0; claim < count; claim++) {
            int reference = reference(claim);
            long job = referenceJobs[reference];
            if (!TaskId.canBe(job, referenceGroups[reference], claimIndexes[claim])) {
                throw new IllegalArgumentException(
                        "no cell has a task %d/%d/%d".formatted(job, referenceGroups[reference], claimIndexes[claim]));
            }
            if (alternates(claim) > Claim.ALTERNATES_MAX) {
                throw new IllegalArgumentException(
                        "a claim has at most %d alternates, not %d".formatted(Claim.ALTERNATES_MAX, alternates(claim)));
            }
        }
    }

    Claim claim(int i) {
        List<Integer> others = new ArrayList<>();
        for (int place = 0; place < alternates(i); place++) {
            others.add(alternate(i, place));
        }
        return new Claim(task(i), referenceGeneration(reference(i)), machine(i), others, amounts(i), kind(i));
    }

    TaskId task(int claim) {
        return new TaskId(new JobId(referenceJob(reference(claim))), referenceGroup(reference(claim)), index(claim));
    }

    int machine(int claim) {
        return claimMachines[claim];
    }

    int index(int claim) {
        return claimIndexes[claim];
    }

    int alternates(int claim) {
        return alternateEnd(claim) - alternatesFrom(claim);
    }

    int alternate(int claim, int place) {
        return alternates[alternatesFrom(claim) + place];
    }

    private int alternatesFrom(int claim) {
        return claim == 0 ? 0 : alternateEnd(claim - 1);
    }

    private int alternateEnd(int claim) {
        return alternates.length == 0 ? 0 : alternateEnds[claim];
    }

    Optional<Amounts> amounts(int claim) {
        return saysAmounts() ? Optional.ofNullable(claimAmounts.get(claim)) : Optional.empty();
    }

    boolean saysAmounts() {
        return !claimAmounts.isEmpty();
    }

    ClaimKind kind(int claim) {
        ClaimKind kind = kinds.length == 0 ? null : kinds[claim];
        return kind == null ? ClaimKind.PLACE : kind;
    }

    /** Returns whether any claim is of another kind than PLACE. */
    boolean sayKinds() {
        return kinds.length > 0;
    }

    int references() {
        return referenceJobs.length;
    }

    int reference(int claim) {
        return referenceJobs.length <= 1 ? 0 : claimReferences[claim];
    }

    long referenceJob(int reference) {
        return referenceJobs[reference];
    }

    int referenceGroup(int reference) {
        return referenceGroups[reference];
    }

    int referenceGeneration(int reference) {
        return referenceGenerations[reference];
    }

    /**
     * The multiplications for one claim depend on the previous claim. Those for its parts do not, so they run in parallel.
     */
    long digest(long seed) {
        long digest = Digests.mix(seed, count);
        for (int generation : referenceGenerations) {
            digest = Digests.mix(digest, generation);
        }
        for (int claim = 0; claim < count; claim++) {
            int reference = reference(claim);
            long task = (long) referenceGroups[reference] << 32 | claimIndexes[claim];
            long machine = (long) claimMachines[claim] << 32 | alternateEnd(claim);
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
        return digestKinds(digest);
    }

    /** Adds nothing if all claims are of kind PLACE, so that older digests stay the same. */
    private long digestKinds(long seed) {
        long digest = seed;
        for (int claim = 0; claim < kinds.length; claim++) {
            digest = Digests.mix(digest, codeOf(kind(claim)));
        }
        return digest;
    }

    private static long codeOf(ClaimKind kind) {
        return switch (kind) {
            case PLACE -> 0;
            case QUEUE -> 1;
            case START -> 2;
            case SPARE -> 3;
        };
    }

    /** Collects one claim after another. Belongs to one thread; {@link #claims} may be called more than once. */
    static final class Collector {
        private int references;
        private long[] referenceJobs = new long[0];
        private int[] referenceGroups = NO_INTS;
        private int[] referenceGenerations = NO_INTS;
        private int count;
        private boolean inOrder = true;
        private int[] claimIndexes = NO_INTS;
        private int[] claimMachines = NO_INTS;

        /** Used from the second reference on. */
        private int[] claimReferences = NO_INTS;

        private int alternateCount;
        private int[] alternates = NO_INTS;

        /** Used from the first alternate on. */
        private int[] alternateEnds = NO_INTS;

        private final Map<Integer, Amounts> claimAmounts = new LinkedHashMap<>(0);

        /** Used from the first claim on that is not of kind PLACE. */
        private @Nullable ClaimKind[] kinds = ALL_PLACE;

        int count() {
            return count;
        }

        Claims claims() {
            return new Claims(this);
        }

        void claim(long job, int group, int index, int generation, int machine) {
            claimOf(refer(job, group, generation), index, machine);
        }

        void references(long[] jobs, int[] groups, int[] generations) {
            references = jobs.length;
            referenceJobs = jobs;
            referenceGroups = groups;
            referenceGenerations = generations;
        }

        void expect(int claims) {
            claimIndexes = new int[claims];
            claimMachines = new int[claims];
        }

        void claimOf(int reference, int index, int machine) {
            if (count == claimIndexes.length) {
                growClaims();
            }
            inOrder &= count == 0 || index > claimIndexes[count - 1];
            claimIndexes[count] = index;
            claimMachines[count] = machine;
            if (references > 1) {
                claimReferences = reaching(claimReferences);
                claimReferences[count] = reference;
            }
            if (alternateCount > 0) {
                alternateEnds = reaching(alternateEnds);
                alternateEnds[count] = alternateCount;
            }
            count++;
        }

        void alternate(int machine) {
            if (alternateCount == alternates.length) {
                alternates = Arrays.copyOf(alternates, Math.max(4, 2 * alternateCount));
            }
            alternates[alternateCount++] = machine;
            alternateEnds = reaching(alternateEnds);
            alternateEnds[count - 1] = alternateCount;
        }

        /** Grows the array to the room for claims. Earlier claims without a value have zero. */
        private int[] reaching(int[] filled) {
            return filled.length == claimIndexes.length ? filled : Arrays.copyOf(filled, claimIndexes.length);
        }

        /** Sets the kind of the last claim, once. */
        void kind(ClaimKind kind) {
            if (kind != ClaimKind.PLACE) {
                kinds = kinds.length < count ? Arrays.copyOf(kinds, claimIndexes.length) : kinds;
                kinds[count - 1] = kind;
            }
        }

        /** Empty amounts count as not stated, as in the bytes. */
        void amounts(Amounts amounts) {
            if (!amounts.isNone()) {
                claimAmounts.put(count - 1, amounts);
            }
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
            int length = Math.max(16, 2 * count);
            claimIndexes = Arrays.copyOf(claimIndexes, length);
            claimMachines = Arrays.copyOf(claimMachines, length);
        }

        private void growReferences() {
            int length = Math.max(2, 2 * references);
            referenceJobs = Arrays.copyOf(referenceJobs, length);
            referenceGroups = Arrays.copyOf(referenceGroups, length);
            referenceGenerations = Arrays.copyOf(referenceGenerations, length);
        }
    }
}
