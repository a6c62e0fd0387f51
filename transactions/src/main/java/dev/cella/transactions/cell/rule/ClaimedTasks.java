package dev.cella.transactions.cell.rule;

import java.util.Arrays;

/**
 * The tasks that one transaction has named so far: a small set with open addressing. Clearing takes O(1) and keeps the arrays.
 * Scratch of the commit rule.
 */
final class ClaimedTasks {
    private int epoch;
    private int size;
    private int[] epochs = new int[64];
    private long[] jobs = new long[64];
    private long[] places = new long[64];

    ClaimedTasks() {
        this(1);
    }

    /** A set that was already cleared {@code epoch} times. */
    ClaimedTasks(int epoch) {
        this.epoch = epoch;
    }

    /**
     * After four thousand million calls the epoch wraps. Then the old marks are erased, so that they do not count again.
     */
    void clear() {
        if (++epoch == 0) {
            Arrays.fill(epochs, 0);
            epoch = 1;
        }
        size = 0;
    }

    /** Adds the task. Returns whether it was not in the set before. */
    boolean add(long job, int group, int index) {
        if (2 * size >= epochs.length) {
            grow();
        }
        return put(job, (long) group << 32 | index);
    }

    boolean contains(long job, int group, int index) {
        long place = (long) group << 32 | index;
        int mask = epochs.length - 1;
        int at = hash(job, place) & mask;
        while (epochs[at] == epoch) {
            if (jobs[at] == job && places[at] == place) {
                return true;
            }
            at = at + 1 & mask;
        }
        return false;
    }

    private boolean put(long job, long place) {
        int mask = epochs.length - 1;
        int at = hash(job, place) & mask;
        while (epochs[at] == epoch) {
            if (jobs[at] == job && places[at] == place) {
                return false;
            }
            at = at + 1 & mask;
        }
        epochs[at] = epoch;
        jobs[at] = job;
        places[at] = place;
        size++;
        return true;
    }

    private static int hash(long job, long place) {
        long mixed = (job * 0x9E3779B97F4A7C15L + place) * 0xBF58476D1CE4E5B9L;
        return (int) (mixed >>> 32);
    }

    private void grow() {
        int[] oldEpochs = epochs;
        long[] oldJobs = jobs;
        long[] oldPlaces = places;
        epochs = new int[2 * oldEpochs.length];
        jobs = Arrays.copyOf(oldJobs, epochs.length);
        places = Arrays.copyOf(oldPlaces, epochs.length);
        size = 0;
        for (int at = 0; at < oldEpochs.length; at++) {
            if (oldEpochs[at] == epoch) {
                put(oldJobs[at], oldPlaces[at]);
            }
        }
    }
}
