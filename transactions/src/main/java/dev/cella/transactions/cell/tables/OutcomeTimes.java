package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.WordPages;

/**
 * The cell times of the kept outcomes, as runs: the first version that had a time, and the time. Outcomes of one log entry
 * share a run, which takes far less memory than one number per outcome. Part of the outcome table.
 */
final class OutcomeTimes {
    private static final int FIRST_VERSION = 0;
    private static final int TIME = 1;
    private static final int ROW_BITS = 9;

    private final int ring;
    private final WordPages runs;
    private long oldest;
    private long next;

    /** There are at most as many runs as outcomes. */
    OutcomeTimes(int outcomesMax) {
        ring = outcomesMax;
        runs = new WordPages(2, ROW_BITS);
    }

    private OutcomeTimes(OutcomeTimes copied) {
        ring = copied.ring;
        runs = copied.runs.copy();
        oldest = copied.oldest;
        next = copied.next;
    }

    OutcomeTimes copy() {
        return new OutcomeTimes(this);
    }

    void note(long version, long cellTimeMillis) {
        if (next > oldest && time(next - 1) == cellTimeMillis) {
            return;
        }
        int row = row(next++);
        runs.reach(row);
        runs.set(row, FIRST_VERSION, version);
        runs.set(row, TIME, cellTimeMillis);
    }

    /** The time of the oldest kept outcome. Forgets the runs before it. */
    long ofOldest(long version) {
        while (isBefore(oldest, version)) {
            oldest++;
        }
        return time(oldest);
    }

    /** The time of a kept outcome. */
    long of(long version) {
        long from = oldest;
        long end = next;
        while (end - from > 1) {
            long middle = (from + end) / 2;
            boolean later = runs.word(row(middle), FIRST_VERSION) > version;
            from = later ? from : middle;
            end = later ? middle : end;
        }
        return time(from);
    }

    /** Returns whether the version belongs to a later run. */
    private boolean isBefore(long run, long version) {
        return run + 1 < next && runs.word(row(run + 1), FIRST_VERSION) <= version;
    }

    private long time(long run) {
        return runs.word(row(run), TIME);
    }

    private int row(long run) {
        return (int) (run % ring);
    }

    long bytes() {
        return runs.bytes();
    }
}
