package dev.cella.transactions.cell;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.Optional;

/**
 * What the one who runs a task saw of it. A report about another attempt or placement than the task's current one is
 * refused as NOT_CURRENT: stop it. The same report again changes nothing; a step that the life of an attempt does not have
 * is refused.
 */
final class TaskReports {
    private final Tables tables;
    private final Answers answers;
    private final TaskEnds ends;
    private final int rowsMax;

    TaskReports(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.answers = new Answers(tables);
        this.ends = new TaskEnds(tables);
        this.rowsMax = limits.rowsMax();
    }

    CommandResult report(Command.ReportTask report) {
        TaskId task = report.task();
        JobRow job = tables.jobs.find(task.job().version());
        GroupRow group = job == null || task.group() >= job.groupCount() ? null : job.group(task.group());
        int row = group == null ? TaskTable.NO_ROW : group.row(task.index());
        if (group == null || (row == TaskTable.NO_ROW && group.isSurplus(task.index()))) {
            return answers.refused(Reason.UNKNOWN_TASK, "there is no task " + task);
        }
        if (row == TaskTable.NO_ROW || report.attempt() > tables.tasks.attempt(row)) {
            return answers.refused(Reason.ILLEGAL_STEP, "attempt " + report.attempt() + " was never placed");
        }
        return isCurrent(report, row) ? step(report, row) : refuseStale(report, row);
    }

    private boolean isCurrent(Command.ReportTask report, int row) {
        if (report.attempt() != tables.tasks.attempt(row)) {
            return false;
        }
        Optional<PlacementId> placement = report.placement();
        return placement.isEmpty() || placement.equals(currentPlacement(row));
    }

    private Optional<PlacementId> currentPlacement(int row) {
        Origin origin = tables.tasks.origin(row);
        return origin == null
                ? Optional.empty()
                : Optional.of(new PlacementId(origin.version(), tables.tasks.ordinal(row)));
    }

    private CommandResult refuseStale(Command.ReportTask report, int row) {
        return answers.refused(
                Reason.NOT_CURRENT,
                "attempt " + report.attempt() + " is over, the task is at " + tables.tasks.attempt(row) + ": stop it");
    }

    private CommandResult step(Command.ReportTask report, int row) {
        TaskState before = tables.facts.stateOf(row);
        TaskState next = asAskedFor(report.state(), row);
        if (before == next) {
            return answers.unchanged(report.task().job().version());
        }
        if (before == TaskState.LOST) {
            return refuseStale(report, row);
        }
        if (next == TaskState.STOPPING || !before.mayBecome(next) || before == TaskState.PENDING) {
            return answers.refused(Reason.ILLEGAL_STEP, "no attempt goes from " + before + " to " + next);
        }
        tables.taskStepped(
                report.task().job().version(),
                report.task().group(),
                report.task().index(),
                next,
                reason(report, next, row),
                report.exitCode().orElse(ChangeSink.EXIT_CODE_NONE),
                startedAt(report, next),
                endedAt(report, next));
        if (next == TaskState.FAILED) {
            ends.endIfTooManyFailed(tables.tasks.group(row).job(), rowsMax);
        }
        return answers.changed(report.task().job().version());
    }

    /** An agent that killed a task which was preempted reports a kill; the cell knows why it had to. */
    private TaskState asAskedFor(TaskState reported, int row) {
        boolean preempted = reported == TaskState.KILLED && tables.tasks.reason(row) == TaskReason.PREEMPTED;
        return preempted ? TaskState.PREEMPTED : reported;
    }

    /** The reason for which it was told to stop stands, unless the agent knows better. */
    private TaskReason reason(Command.ReportTask report, TaskState next, int row) {
        boolean killed = next == TaskState.KILLED || next == TaskState.PREEMPTED;
        return killed && report.reason() == TaskReason.NONE ? tables.tasks.reason(row) : report.reason();
    }

    private long startedAt(Command.ReportTask report, TaskState next) {
        return report.startedAtMillis().orElse(next == TaskState.RUNNING ? tables.wallTimeMillis() : 0);
    }

    private long endedAt(Command.ReportTask report, TaskState next) {
        return report.endedAtMillis().orElse(next.isEnded() ? tables.wallTimeMillis() : 0);
    }
}
