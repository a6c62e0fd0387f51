package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import org.jspecify.annotations.Nullable;

/** Decides whether a task may get a copy that runs beside it. Planners ask the same rule. */
public final class CopyRule {
    /** How many copies the tasks of a group may have had since it last shrank or was updated. */
    static final int COPIES_MAX = 1_000;

    /**
     * A task that runs has at most one copy at a time.
     *
     * @param drafted the copies that the transaction has added so far; each may need a group of its own
     */
    public static @Nullable Reason refuse(Tables tables, GroupRow group, int index, int drafted) {
        int row = group.row(index);
        TaskState state = row == TaskTable.NO_ROW ? TaskState.PENDING : tables.tasks.state(row);
        boolean runs = state == TaskState.PLACED || state == TaskState.RUNNING;
        if (!runs || group.job().isStopped() || hasOpenCopy(tables, group, index)) {
            return Reason.ILLEGAL_STEP;
        }
        return mayHaveCopies(group) && hasRoom(group, drafted) ? null : Reason.NOT_ALLOWED;
    }

    /** Returns whether two attempts of a task of the group may run at once, and the end of one may end the task. */
    private static boolean mayHaveCopies(GroupRow group) {
        return !group.isOfCopies()
                && group.job().header().type() == JobType.BATCH
                && group.header().onLost() == OnLost.REPLACE
                && group.header().gang().isEmpty();
    }

    private static boolean hasOpenCopy(Tables tables, GroupRow group, int index) {
        GroupRow copies = group.copies().orElse(null);
        for (int copy = 0; copies != null && copy < copies.header().count(); copy++) {
            if (copies.copied(copy) == index
                    && !tables.facts.stateOf(copies, copy).isEnded()) {
                return true;
            }
        }
        return false;
    }

    /** The row of a former copy must be gone before its index is used again. */
    private static boolean hasRoom(GroupRow group, int drafted) {
        JobHeader job = group.job().header();
        GroupRow copies = group.copies().orElse(null);
        if (job.tasks() + drafted >= JobHeader.TASKS_MAX) {
            return false;
        }
        return copies == null
                ? job.groups().size() + drafted < JobHeader.GROUPS_MAX && drafted < COPIES_MAX
                : copies.header().count() + drafted < COPIES_MAX && hasNoFormerCopies(copies);
    }

    private static boolean hasNoFormerCopies(GroupRow copies) {
        for (int index = copies.header().count(); index < copies.rowsEnd(); index++) {
            if (copies.row(index) != TaskTable.NO_ROW) {
                return false;
            }
        }
        return true;
    }

    private CopyRule() {}
}
