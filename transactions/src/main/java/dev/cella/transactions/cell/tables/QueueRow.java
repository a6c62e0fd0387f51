package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskId;

/**
 * A pending task that waits in a machine's queue and holds nothing (SEMANTICS section 5, "Queue rows and spare work"). It
 * exists only while its task is pending in the generation that the claim was planned for, and while its machine is READY.
 *
 * @param origin the transaction that queued it
 * @param ordinal the place of its claim in that transaction
 */
public record QueueRow(GroupRow group, int index, int slot, Origin origin, int ordinal)
        implements Comparable<QueueRow> {
    /** The most queues in which one task may wait. */
    public static final int ROWS_A_TASK_MAX = 8;

    /** The most rows of one job, from feature level 11 on. They go together when the job is stopped or updated. */
    public static final int ROWS_A_JOB_MAX = 200_000;

    /** The most tasks that may wait on one machine. */
    public static final int ROWS_A_MACHINE_MAX = 10_000;

    /** The order of a queue: as the rows were queued. */
    @Override
    public int compareTo(QueueRow other) {
        int byVersion = Long.compare(origin.version(), other.origin.version());
        return byVersion != 0 ? byVersion : Integer.compare(ordinal, other.ordinal);
    }

    public TaskId task() {
        return new TaskId(group.job().id(), group.place(), index);
    }

    /** "job/group/index", as people write it. */
    public String text() {
        return group.text(index);
    }
}
