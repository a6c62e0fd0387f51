package dev.cella.transactions.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The claims of a transaction, kept flat: a task is named by a reference (job, group, generation: few a transaction) and its
 * index, a machine by its slot. Immutable; collected by a {@link Collector}.
 */
final class Claims {
    private static final long CLAIM_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long JOB_FACTOR = 0xC2B2AE3D27D4EB4FL;
    private static final long TASK_FACTOR = 0xD6E8FEB86659FD93L;
    private static final int[] NO_INTS = new int[0];

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

    private Claims(Collector collected) {
        referenceJobs = Arrays.copyOf(collected.referenceJobs, collected.references);
        referenceGroups = trimmed(collected.referenceGroups, collected.references);
        referenceGenerations = trimmed(collected.referenceGenerations, collected.references);
        count = collected.count;
        inOrder = collected.inOrder && collected.references <= 1;
        claimReferences = trimmed(collected.claimReferences, count);
        claimIndexes = trimmed(collected.claimIndexes, count);
        claimMachines = trimmed(collected.claimMachines, count);
        alternateEnds = Arrays.copyOf(collected.alternateEnds, count);
        alternates = trimmed(collected.alternates, collected.alternateCount);
        claimAmounts = new LinkedHashMap<>(collected.claimAmounts);
    }

    /** A collector that goes on after a build grows arrays of its own, and writes no more into those it has filled. */
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

    Claim claim(int i) {
        List<Integer> others = new ArrayList<>();
        for (int place = 0; place < alternates(i); place++) {
            others.add(alternate(i, place));
        }
        return new Claim(task(i), referenceGeneration(reference(i)), machine(i), others, amounts(i));
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
        return alternateEnds[claim] - alternatesFrom(claim);
    }

    int alternate(int claim, int place) {
        return alternates[alternatesFrom(claim) + place];
    }

    private int alternatesFrom(int claim) {
        return claim == 0 ? 0 : alternateEnds[claim - 1];
    }

    Optional<Amounts> amounts(int claim) {
        return saysAmounts() ? Optional.ofNullable(claimAmounts.get(claim)) : Optional.empty();
    }

    boolean saysAmounts() {
        return !claimAmounts.isEmpty();
    }

    int references() {
        return referenceJobs.length;
    }

    int reference(int claim) {
        return claimReferences[claim];
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

    /** A claim costs one multiplication after another; those of its parts go on beside. */
    long digest(long seed) {
        long digest = Digests.mix(seed, count);
        for (int generation : referenceGenerations) {
            digest = Digests.mix(digest, generation);
        }
        for (int claim = 0; claim < count; claim++) {
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

    /** Takes one claim after another. Belongs to one thread; {@link #claims} may be called more than once. */
    static final class Collector {
        private int references;
        private long[] referenceJobs = new long[2];
        private int[] referenceGroups = new int[2];
        private int[] referenceGenerations = new int[2];
        private int count;
        private boolean inOrder = true;
        private int[] claimReferences = new int[16];
        private int[] claimIndexes = new int[16];
        private int[] claimMachines = new int[16];
        private int[] alternateEnds = new int[16];
        private int alternateCount;
        private int[] alternates = new int[4];
        private final Map<Integer, Amounts> claimAmounts = new LinkedHashMap<>();

        int count() {
            return count;
        }

        Claims claims() {
            return new Claims(this);
        }

        void claim(long job, int group, int index, int generation, int machine) {
            if (count == claimReferences.length) {
                growClaims();
            }
            claimOf(refer(job, group, generation), index, machine);
        }

        void references(long[] jobs, int[] groups, int[] generations) {
            references = jobs.length;
            referenceJobs = jobs;
            referenceGroups = groups;
            referenceGenerations = generations;
        }

        void expect(int claims) {
            claimReferences = new int[claims];
            claimIndexes = new int[claims];
            claimMachines = new int[claims];
            alternateEnds = new int[claims];
        }

        void claimOf(int reference, int index, int machine) {
            inOrder &= count == 0 || index > claimIndexes[count - 1];
            claimReferences[count] = reference;
            claimIndexes[count] = index;
            claimMachines[count] = machine;
            alternateEnds[count] = alternateCount;
            count++;
        }

        void alternate(int machine) {
            if (alternateCount == alternates.length) {
                alternates = Arrays.copyOf(alternates, 2 * alternateCount);
            }
            alternates[alternateCount++] = machine;
            alternateEnds[count - 1] = alternateCount;
        }

        void amounts(Amounts amounts) {
            claimAmounts.put(count - 1, amounts);
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
            int length = 2 * count;
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
