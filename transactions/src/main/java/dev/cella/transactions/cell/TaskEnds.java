package dev.cella.transactions.cell;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The ends of tasks that the cell itself decides on: stopped, killed, lost. A few at a time, where there may be many. */
final class TaskEnds {
    private final Tables tables;

    TaskEnds(Tables tables) {
        this.tables = tables;
    }

    /**
     * Tells a placed task to stop: what it holds stays held until its agent reports the end. On a machine without an agent
     * the end is at once.
     */
    void stop(int row, TaskReason reason) {
        boolean hasAgent = tables.machines.agent(tables.tasks.machine(row)) != null;
        if (hasAgent) {
            step(row, TaskState.STOPPING, reason, 0);
        } else {
            step(row, TaskState.KILLED, reason, tables.wallTimeMillis());
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
        return tables.machines.agent(tables.tasks.machine(row)) == null;
    }

    /** Ends at most {@code rowsMax} attempts on the machine as LOST; answers whether all of them are. */
    boolean loseTasksOn(int slot, int rowsMax) {
        List<Integer> rows = new ArrayList<>();
        int row = tables.machines.firstTask(slot);
        while (row != TaskTable.NO_ROW && rows.size() < rowsMax) {
            rows.add(row);
            row = tables.tasks.nextOnMachine(row);
        }
        rows.forEach(lost -> step(lost, TaskState.LOST, TaskReason.MACHINE_LOST, tables.wallTimeMillis()));
        return tables.machines.taskCount(slot) == 0;
    }

    /** Ends the job when more of its tasks have failed for good than a group allows, and tells tasks to stop. */
    void endIfTooManyFailed(JobRow job, int rowsMax) {
        if (!job.isStopped() && job.hasTooManyFailures()) {
            tables.jobStopped(job.id().version(), TaskReason.TOO_MANY_FAILURES);
            stopTasksOf(job, rowsMax);
        }
    }

    /** Tells at most {@code rowsMax} tasks of the job to stop; answers whether all were told. */
    boolean stopTasksOf(JobRow job, int rowsMax) {
        int left = rowsMax;
        for (GroupRow group : job.groups()) {
            for (int index = 0; index < group.rowsEnd() && left > 0; index++) {
                int row = group.row(index);
                if (row != TaskTable.NO_ROW && isToStop(row)) {
                    stop(row, job.reason());
                    left--;
                }
            }
        }
        return isToldToStop(job);
    }

    static boolean isToldToStop(JobRow job) {
        return job.counts().of(TaskState.PLACED) + job.counts().of(TaskState.RUNNING) == 0;
    }

    private boolean isToStop(int row) {
        TaskState state = tables.tasks.state(row);
        return state == TaskState.PLACED || state == TaskState.RUNNING;
    }

    private void step(int row, TaskState state, TaskReason reason, long endedAtMillis) {
        GroupRow group = tables.tasks.group(row);
        tables.taskStepped(
                group.job().id().version(),
                group.place(),
                tables.tasks.index(row),
                state,
                reason,
                ChangeSink.EXIT_CODE_NONE,
                0,
                endedAtMillis);
    }
}
