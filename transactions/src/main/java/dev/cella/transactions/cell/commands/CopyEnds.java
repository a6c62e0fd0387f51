package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.model.TaskState;

/**
 * Ends what the first to finish of a task and its copy leaves over, at the end of the command in which it finished.
 *
 * <p>A finished copy ends its task, and a task that is over for good ends its copy: KILLED, reason COPY. A job that is stopped
 * ends both. A group has few copies, so the cost is small; copies that have no more effect are skipped.
 */
public final class CopyEnds {
    private final Tables tables;
    private final TaskEnds ends;

    public CopyEnds(Tables tables) {
        this.tables = tables;
        this.ends = new TaskEnds(tables);
    }

    /** Settles the jobs that the current command has changed. */
    public void settle() {
        tables.changedWithCopies().forEach(this::settle);
    }

    private void settle(JobRow job) {
        for (GroupRow group : job.groups()) {
            if (group.isOfCopies() && !job.isStopped()) {
                settle(group);
            }
        }
    }

    private void settle(GroupRow copies) {
        boolean all = true;
        for (int index = tables.settledCopies(copies); index < copies.header().count(); index++) {
            settle(copies, index);
            all &= tables.facts.stateOf(copies, index).isEnded();
            if (all) {
                tables.settledCopies(copies, index + 1);
            }
        }
    }

    private void settle(GroupRow copies, int index) {
        GroupRow group = copies.original();
        int task = copies.copied(index);
        TaskState copy = tables.facts.stateOf(copies, index);
        boolean isOver = isOver(group, task);
        if (copy == TaskState.FINISHED && !isOver) {
            endTask(group, task);
        } else if (isOver && (copy == TaskState.PENDING || copy == TaskState.PLACED || copy == TaskState.RUNNING)) {
            ends.endBeside(copies, index);
        }
    }

    /** Returns whether the task is over, or will be when its agent has reported its end. */
    private boolean isOver(GroupRow group, int index) {
        int row = group.row(index);
        return row != TaskTable.NO_ROW && (tables.facts.isOver(row) || tables.facts.isEndingBeside(row));
    }

    /** A task whose last attempt has ended, and which would get another one, is over as well. */
    private void endTask(GroupRow group, int index) {
        if (tables.facts.stateOf(group, index).isEnded()) {
            tables.taskAgain(group.job().id().version(), group.place(), index);
        }
        ends.endBeside(group, index);
    }
}
