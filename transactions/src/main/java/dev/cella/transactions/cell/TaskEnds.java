package dev.cella.transactions.cell;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The ends of tasks that the cell itself decides on: stopped, killed, lost. A few at a time, where there may be many. */
final class TaskEnds {
    private final Tables tables;
    private final ReadAhead readAhead;

    TaskEnds(Tables tables) {
        this.tables = tables;
        this.readAhead = new ReadAhead(tables);
    }

    /**
     * Tells a placed task to stop: what it holds stays held until its agent reports the end. On a machine without an agent
     * the end is at once.
     */
    void stop(int row, TaskReason reason) {
        stop(tables.tasks.group(row), tables.tasks.index(row), row, reason);
    }

    private void stop(GroupRow group, int index, int row, TaskReason reason) {
        if (tables.machines.hasAgent(tables.tasks.machine(row))) {
            step(group, index, TaskState.STOPPING, reason, 0);
        } else {
            step(group, index, TaskState.KILLED, reason, tables.wallTimeMillis());
        }
    }

    /** Tells a placed task to stop for a claim of the transaction that is being applied, or for nobody. */
    void evict(int row, OptionalInt forClaim) {
        if (forClaim.isEmpty() && hasNoAgent(row)) {
            endPreempted(row);
            return;
        }
        GroupRow group = tables.tasks.group(row);
        tables.taskEvicted(group.job().id().version(), group.place(), tables.tasks.index(row), forClaim.orElse(-1));
    }

    /** Ends a victim at once, where nobody would report its end. */
    void endWithoutAgent(int row) {
        if (hasNoAgent(row)) {
            endPreempted(row);
        }
    }

    private void endPreempted(int row) {
        step(row, TaskState.PREEMPTED, TaskReason.PREEMPTED, tables.wallTimeMillis());
    }

    private boolean hasNoAgent(int row) {
        return !tables.machines.hasAgent(tables.tasks.machine(row));
    }

    /** Tells at most {@code rowsMax} tasks to stop that are still there at the deadline; answers whether there were any. */
    boolean drainTasksOn(int slot, CellTime now, int rowsMax) {
        List<Integer> rows = tasksToDrain(slot, now, rowsMax);
        rows.forEach(row -> stop(row, TaskReason.DRAINED));
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

    /** Ends at most {@code rowsMax} attempts on the machine as LOST; answers whether all of them are. */
    boolean loseTasksOn(int slot, int rowsMax) {
        for (int left = rowsMax; left > 0 && tables.machines.taskCount(slot) > 0; left -= ReadAhead.TASKS) {
            loseFirstTasksOn(slot, Math.min(left, ReadAhead.TASKS));
        }
        return tables.machines.taskCount(slot) == 0;
    }

    private void loseFirstTasksOn(int slot, int atMost) {
        int[] rows = new int[atMost];
        int count = 0;
        int row = tables.machines.firstTask(slot);
        for (; row != TaskTable.NO_ROW && count < atMost; row = tables.tasks.nextOnMachine(row)) {
            readAhead.note(row);
            rows[count++] = row;
        }
        readAhead.noted();
        for (int place = 0; place < count; place++) {
            step(rows[place], TaskState.LOST, TaskReason.MACHINE_LOST, tables.wallTimeMillis());
        }
    }

    /** Ends the job when more of its tasks have failed for good than a group allows. */
    void endIfTooManyFailed(JobRow job, int rowsMax) {
        if (!job.isStopped() && job.hasTooManyFailures()) {
            tables.jobStopped(job.id().version(), TaskReason.TOO_MANY_FAILURES);
            sweep(job, rowsMax);
        }
    }

    /**
     * Tells tasks to stop, all of a job that is stopped and the surplus ones of groups that have shrunk, and drops what
     * is left of surplus tasks that have ended: at most {@code rowsMax} rows.
     */
    void sweep(JobRow job, int rowsMax) {
        int left = rowsMax;
        for (GroupRow group : job.groups()) {
            int first = firstToSweep(group);
            int index = first;
            while (index < group.rowsEnd() && left > 0) {
                if ((index - first) % ReadAhead.TASKS == 0) {
                    readAhead(group, index);
                }
                left -= sweep(group, index++) ? 1 : 0;
            }
        }
    }

    private void readAhead(GroupRow group, int from) {
        int end = Math.min(group.rowsEnd(), from + ReadAhead.TASKS);
        for (int index = from; index < end; index++) {
            readAhead.note(group.row(index));
        }
        readAhead.noted();
    }

    /** Whether there is something to sweep: in the time of what was swept since the last look, however large the job is. */
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

    /** The first surplus task that is to be told to stop or whose row is to be dropped. */
    private int firstSurplus(GroupRow group) {
        int index = group.firstToSweep();
        while (index < group.rowsEnd() && !isToStop(group, index) && !isToForget(group, index)) {
            index++;
        }
        group.sweptTo(index);
        return index;
    }

    private boolean sweep(GroupRow group, int index) {
        if (isToStop(group, index)) {
            stop(
                    group,
                    index,
                    group.row(index),
                    group.job().isStopped() ? group.job().reason() : TaskReason.UPDATED);
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

    private void step(int row, TaskState state, TaskReason reason, long endedAtMillis) {
        step(tables.tasks.group(row), tables.tasks.index(row), state, reason, endedAtMillis);
    }

    private void step(GroupRow group, int index, TaskState state, TaskReason reason, long endedAtMillis) {
        tables.taskStepped(group, index, state, reason, ChangeSink.EXIT_CODE_NONE, 0, endedAtMillis);
    }
}
