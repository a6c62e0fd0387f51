package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;

/**
 * Facts that follow from a task's row together with its job, its group and its machine. Reads the tables, on the thread that
 * owns them, or a copy of them.
 */
public final class TaskFacts {
    private final MachineTable machines;
    private final TaskTable tasks;

    TaskFacts(MachineTable machines, TaskTable tasks) {
        this.machines = machines;
        this.tasks = tasks;
    }

    /**
     * The rows of tasks and machines at this moment, which share their pages with these. The groups in them are live: call
     * only what takes a group, with a {@link JobRow#copy}.
     */
    public TaskFacts copy() {
        return new TaskFacts(machines.copy(), tasks.copy());
    }

    public MachineTable machines() {
        return machines;
    }

    public TaskTable tasks() {
        return tasks;
    }

    /** The state of the task at that index of the group, with or without a row. */
    public TaskState stateOf(GroupRow group, int index) {
        int row = group.row(index);
        if (row != TaskTable.NO_ROW) {
            return stateIn(group, row);
        }
        return group.job().isStopped() ? TaskState.KILLED : TaskState.PENDING;
    }

    /**
     * The state of the task in that row. A task that was pending when its job was stopped or its group shrank counts as
     * killed.
     */
    public TaskState stateOf(int row) {
        return stateIn(tasks.group(row), row);
    }

    private TaskState stateIn(GroupRow group, int row) {
        TaskState state = tasks.state(row);
        boolean isOver = state == TaskState.PENDING && (group.job().isStopped() || isSurplus(group, row));
        return isOver ? TaskState.KILLED : state;
    }

    /** The reason to show of a task of the group. */
    TaskReason reasonOf(GroupRow group, int row) {
        JobRow job = group.job();
        if (tasks.state(row) != TaskState.PENDING) {
            return tasks.reason(row);
        }
        return !job.isStopped() && isSurplus(group, row) ? TaskReason.UPDATED : job.reason();
    }

    /**
     * Returns whether the task, in that state, has ended so that no new attempt follows by itself. FINISHED tasks are
     * counted by their state.
     */
    boolean isForGood(int row, TaskState state) {
        return isForGood(row, state, tasks.reason(row));
    }

    /**
     * As {@link #isForGood(int, TaskState)}, for a caller that knows the reason: reading back a value that was just written
     * stalls.
     */
    boolean isForGood(int row, TaskState state, TaskReason reason) {
        if (tasks.group(row).isOfCopies()) {
            return state.isEnded() && state != TaskState.FINISHED;
        }
        return state == TaskState.FAILED
                ? hasFailedForGood(row)
                : state == TaskState.KILLED && (reason == TaskReason.KILLED || reason == TaskReason.COPY);
    }

    /** Returns whether the task has failed more often than its restarts allow. */
    boolean hasFailedForGood(int row) {
        return hasFailedForGood(tasks.group(row), row);
    }

    /** Returns whether the group's task has failed more often than its restarts allow. */
    boolean hasFailedForGood(GroupRow group, int row) {
        return tasks.state(row) == TaskState.FAILED
                && tasks.failures(row) > group.header().restart().attempts();
    }

    /** Returns whether the task's work is done: it finished, or a copy of it did. */
    public boolean isDone(GroupRow group, int index) {
        TaskState state = stateOf(group, index);
        int row = group.row(index);
        return state == TaskState.FINISHED
                || (state == TaskState.KILLED && row != TaskTable.NO_ROW && reasonOf(group, row) == TaskReason.COPY);
    }

    /** Returns whether the task is stopping because its work is done elsewhere. It must not run again, however it ends. */
    public boolean isEndingBeside(int row) {
        return tasks.state(row) == TaskState.STOPPING && tasks.reason(row) == TaskReason.COPY;
    }

    /** Returns whether no new attempt may follow: the task is over for good, or it is a batch task that finished. */
    public boolean isOver(int row) {
        boolean batch = tasks.group(row).job().header().type() == JobType.BATCH;
        return isForGood(row, tasks.state(row)) || (batch && tasks.state(row) == TaskState.FINISHED);
    }

    /**
     * Returns whether its group must never run twice and the machine that lost the task is still gone: the same
     * incarnation, and down.
     */
    public boolean waitsForMachine(int row) {
        Origin placed = tasks.origin(row);
        int slot = tasks.machine(row);
        return tasks.group(row).header().onLost() == OnLost.WAIT
                && tasks.state(row) == TaskState.LOST
                && placed != null
                && machines.exists(slot)
                && machines.isDown(slot)
                && machines.registeredVersion(slot) <= placed.version();
    }

    boolean isSurplus(int row) {
        return isSurplus(tasks.group(row), row);
    }

    private boolean isSurplus(GroupRow group, int row) {
        return group.isSurplus(tasks.index(row));
    }
}
