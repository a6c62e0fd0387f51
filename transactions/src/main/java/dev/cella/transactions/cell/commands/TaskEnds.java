package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.ReadAhead;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Ends tasks on the cell's own decision: stopped, killed, lost. Where there may be many, it works on a few at a time.
 */
final class TaskEnds {
    private final Tables tables;
    private final ReadAhead readAhead;

    /** Tasks that were found and must end or be told to stop. The steps after the search handle them together. */
    private final int[] found = new int[ReadAhead.TASKS];

    private int foundCount;

    /** Steps that are collected but not written yet, and their group. */
    private final TaskSteps steps = new TaskSteps();

    private @Nullable GroupRow stepping;

    TaskEnds(Tables tables) {
        this.tables = tables;
        this.readAhead = new ReadAhead(tables);
    }

    /**
     * Tells a placed task to stop. It holds its amounts until its agent reports the end. On a machine without an agent it ends
     * at once.
     */
    void stop(int row, TaskReason reason) {
        addStop(tables.tasks.group(row), row, reason);
        tellSteps();
    }

    /** Ends a task that is on no machine. */
    void kill(GroupRow group, int index) {
        beginSteps(group, TaskState.KILLED, TaskReason.KILLED, tables.wallTimeMillis());
        steps.add(index);
        tellSteps();
    }

    /** Ends a task on the machine or a pending one, because a copy of it, or the task that it copies, is over. */
    void endBeside(GroupRow group, int index) {
        int row = group.row(index);
        if (row != TaskTable.NO_ROW && tables.tasks.state(row).isOnMachine()) {
            stop(row, TaskReason.COPY);
        } else {
            beginSteps(group, TaskState.KILLED, TaskReason.COPY, tables.wallTimeMillis());
            steps.add(index);
            tellSteps();
        }
    }

    private void addStop(GroupRow group, int row, TaskReason reason) {
        if (hasNoAgent(row)) {
            addStep(group, row, TaskState.KILLED, reason, tables.wallTimeMillis());
        } else {
            addStep(group, row, TaskState.STOPPING, reason, 0);
        }
    }

    /** Tells a placed task to stop for a claim of the current transaction, or for no claim. */
    void evict(int row, OptionalInt forClaim) {
        if (forClaim.isEmpty() && hasNoAgent(row)) {
            endPreempted(row);
            return;
        }
        GroupRow group = tables.tasks.group(row);
        tables.taskEvicted(group.job().id().version(), group.place(), tables.tasks.index(row), forClaim.orElse(-1));
    }

    /** Ends spare tasks on the machine that a claim of the current transaction leaves no room for. */
    void endSpareFor(int slot, int claim) {
        for (int row : tables.spareToEnd(slot)) {
            evict(row, OptionalInt.of(claim));
            endWithoutAgent(row);
        }
    }

    /** Ends a victim at once if no agent would report its end. */
    void endWithoutAgent(int row) {
        if (hasNoAgent(row)) {
            endPreempted(row);
        }
    }

    private void endPreempted(int row) {
        if (tables.facts.isEndingBeside(row)) {
            stop(row, TaskReason.COPY);
            return;
        }
        addStep(tables.tasks.group(row), row, TaskState.PREEMPTED, TaskReason.PREEMPTED, tables.wallTimeMillis());
        tellSteps();
    }

    private boolean hasNoAgent(int row) {
        return !tables.machines.hasAgent(tables.tasks.machine(row));
    }

    /**
     * Tells at most {@code rowsMax} tasks to stop that are still on the machine at the deadline. Returns whether it found any.
     */
    boolean drainTasksOn(int slot, CellTime now, int rowsMax) {
        List<Integer> rows = tasksToDrain(slot, now, rowsMax);
        rows.forEach(row -> addStop(tables.tasks.group(row), row, TaskReason.DRAINED));
        tellSteps();
        return !rows.isEmpty();
    }

    boolean needsDrain(int slot, CellTime now) {
        return !tasksToDrain(slot, now, 1).isEmpty();
    }

    private List<Integer> tasksToDrain(int slot, CellTime now, int rowsMax) {
        Drain drain = tables.machines.drain(slot);
        if (drain == null || drain.deadline().compareTo(now) > 0) {
            return List.of();
        }
        List<Integer> rows = new ArrayList<>();
        int row = tables.machines.firstTask(slot);
        while (row != TaskTable.NO_ROW && rows.size() < rowsMax) {
            if (isToStop(row)
                    && drain.moves(tables.tasks.group(row).job().header().type())) {
                rows.add(row);
            }
            row = tables.tasks.nextOnMachine(row);
        }
        return rows;
    }

    /** Ends at most {@code rowsMax} attempts on the machine as LOST. Returns whether all of them are. */
    boolean loseTasksOn(int slot, int rowsMax) {
        for (int left = rowsMax; left > 0 && tables.machines.taskCount(slot) > 0; left -= ReadAhead.TASKS) {
            loseFirstTasksOn(slot, Math.min(left, ReadAhead.TASKS));
        }
        return tables.machines.taskCount(slot) == 0;
    }

    private void loseFirstTasksOn(int slot, int atMost) {
        int row = tables.machines.firstTask(slot);
        for (; row != TaskTable.NO_ROW && foundCount < atMost; row = tables.tasks.nextOnMachine(row)) {
            found[foundCount++] = row;
        }
        readAhead.tasks(found, foundCount);
        for (int place = 0; place < foundCount; place++) {
            int lost = found[place];
            boolean beside = tables.facts.isEndingBeside(lost);
            addStep(
                    tables.tasks.group(lost),
                    lost,
                    beside ? TaskState.KILLED : TaskState.LOST,
                    beside ? TaskReason.COPY : TaskReason.MACHINE_LOST,
                    tables.wallTimeMillis());
        }
        foundCount = 0;
        tellSteps();
    }

    /** Ends the job when more of its tasks have failed for good than a group allows. */
    void endIfTooManyFailed(JobRow job, int rowsMax) {
        if (!job.isStopped() && job.hasTooManyFailures()) {
            tables.jobStopped(job.id().version(), TaskReason.TOO_MANY_FAILURES);
            sweep(job, rowsMax);
        }
    }

    /**
     * Tells tasks to stop (all tasks of a stopped job, surplus tasks of a group that has shrunk), and drops the rows of
     * surplus tasks that have ended: at most {@code rowsMax} rows.
     */
    void sweep(JobRow job, int rowsMax) {
        int left = rowsMax;
        for (GroupRow group : job.groups()) {
            for (int index = firstToSweep(group); index < group.rowsEnd() && left > 0; index++) {
                left -= sweep(group, index) ? 1 : 0;
            }
            stopFound(group);
        }
    }

    /** Stops the found tasks, which all are of that group. */
    private void stopFound(GroupRow group) {
        TaskReason reason = group.job().isStopped() ? group.job().reason() : TaskReason.UPDATED;
        readAhead.machines(found, foundCount);
        for (int place = 0; place < foundCount; place++) {
            addStop(group, found[place], reason);
        }
        foundCount = 0;
        tellSteps();
    }

    /**
     * Returns whether there is something to sweep. The cost depends on what was swept since the last call, not on the size
     * of the job.
     */
    boolean needsSweep(JobRow job) {
        if (isToStop(job)) {
            return true;
        }
        for (GroupRow group : job.groups()) {
            if (firstSurplus(group) < group.rowsEnd()) {
                return true;
            }
        }
        return false;
    }

    private int firstToSweep(GroupRow group) {
        return isToStop(group.job()) ? 0 : firstSurplus(group);
    }

    private static boolean isToStop(JobRow job) {
        return job.isStopped()
                && job.counts().of(TaskState.PLACED) + job.counts().of(TaskState.RUNNING) > 0;
    }

    /** The first surplus task that must be told to stop or whose row must be dropped. */
    private int firstSurplus(GroupRow group) {
        int index = group.firstToSweep();
        while (index < group.rowsEnd() && !isToStop(group, index) && !isToForget(group, index)) {
            index++;
        }
        tables.sweptTo(group, index);
        return index;
    }

    private boolean sweep(GroupRow group, int index) {
        int row = group.row(index);
        if (row != TaskTable.NO_ROW && isToStop(row)) {
            found[foundCount++] = row;
            if (foundCount == found.length) {
                stopFound(group);
            }
            return true;
        }
        if (isToForget(group, index)) {
            tables.taskForgotten(group.job().id().version(), group.place(), index);
            return true;
        }
        return false;
    }

    private boolean isToForget(GroupRow group, int index) {
        int row = group.row(index);
        return row != TaskTable.NO_ROW
                && group.isSurplus(index)
                && !tables.tasks.state(row).isOnMachine();
    }

    private boolean isToStop(GroupRow group, int index) {
        int row = group.row(index);
        return row != TaskTable.NO_ROW && isToStop(row);
    }

    private boolean isToStop(int row) {
        TaskState state = tables.tasks.state(row);
        return state == TaskState.PLACED || state == TaskState.RUNNING;
    }

    /** Adds a step. Steps are written together while they are the same and for tasks of the same group. */
    private void addStep(GroupRow group, int row, TaskState state, TaskReason reason, long endedAtMillis) {
        if (group != stepping || !steps.isOf(state, reason, ChangeSink.EXIT_CODE_NONE, 0, endedAtMillis)) {
            beginSteps(group, state, reason, endedAtMillis);
        }
        steps.add(tables.tasks.index(row));
    }

    private void beginSteps(GroupRow group, TaskState state, TaskReason reason, long endedAtMillis) {
        tellSteps();
        stepping = group;
        steps.begin(state, reason, ChangeSink.EXIT_CODE_NONE, 0, endedAtMillis);
    }

    private void tellSteps() {
        if (stepping != null && steps.count() > 0) {
            tables.tasksStepped(stepping, steps);
            steps.clear();
        }
    }
}
