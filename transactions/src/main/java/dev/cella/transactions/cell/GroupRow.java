package dev.cella.transactions.cell;

import dev.cella.transactions.model.GroupHeader;
import java.util.Arrays;

/**
 * One group of a job: its header, which of its tasks have a row, and which are pending.
 *
 * <p>The set of pending indexes is kept the other way round, as the bits of those that are not: a group of a hundred
 * thousand tasks that nobody looked at yet costs nothing. A live row: it goes on changing on the thread that owns the
 * tables.
 */
public final class GroupRow {
    private final JobRow job;
    private final int place;
    private GroupHeader header;
    private int pending;
    private long[] taken = new long[0];
    private int[] rows = new int[0];

    GroupRow(JobRow job, int place, GroupHeader header) {
        this.job = job;
        this.place = place;
        this.header = header;
        this.pending = header.count();
    }

    public JobRow job() {
        return job;
    }

    /** Its place in the job's list of groups. */
    public int place() {
        return place;
    }

    public GroupHeader header() {
        return header;
    }

    /** How many of its tasks wait to be placed. */
    public int pending() {
        return job.isStopped() ? 0 : pending;
    }

    public boolean isPending(int index) {
        return index >= 0 && index < header.count() && !job.isStopped() && !isTaken(index);
    }

    /** The first pending index that is not below {@code from}, or -1. */
    public int nextPending(int from) {
        if (job.isStopped()) {
            return -1;
        }
        for (int index = from; index < header.count(); index++) {
            int word = index >> 6;
            if (word >= taken.length) {
                return index;
            }
            long open = ~taken[word] >>> index;
            if (open != 0) {
                int found = index + Long.numberOfTrailingZeros(open);
                return found < header.count() ? found : -1;
            }
            index |= 63;
        }
        return -1;
    }

    /** The row of the task, or {@link TaskTable#NO_ROW} when it was never placed. */
    int row(int index) {
        return index < rows.length ? rows[index] - 1 : TaskTable.NO_ROW;
    }

    /** No index from here on has a row. */
    int rowsEnd() {
        return rows.length;
    }

    void setRow(int index, int row) {
        if (index >= rows.length) {
            rows = Arrays.copyOf(rows, Math.min(header.count(), Math.max(8, Math.max(index + 1, 2 * rows.length))));
        }
        rows[index] = row + 1;
    }

    void take(int index) {
        int word = index >> 6;
        if (word >= taken.length) {
            taken = Arrays.copyOf(taken, Math.max(word + 1, Math.min(2 * taken.length, (header.count() + 63) >> 6)));
        }
        taken[word] |= 1L << index;
        pending--;
    }

    void putBack(int index) {
        taken[index >> 6] &= ~(1L << index);
        pending++;
    }

    /** The next generation, which has at least as many tasks. */
    void update(GroupHeader next) {
        pending += next.count() - header.count();
        header = next;
    }

    private boolean isTaken(int index) {
        int word = index >> 6;
        return word < taken.length && (taken[word] >>> index & 1) != 0;
    }
}
