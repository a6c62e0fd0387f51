package dev.cella.transactions.cell;

import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;

/**
 * Applies agents' reports about tasks. A report about another attempt or placement than the task's current one is refused as
 * NOT_CURRENT, which tells the agent to stop it. A repeated report changes nothing. A step that the life cycle of an attempt
 * does not have is refused.
 */
final class TaskReports {
    private final Tables tables;
    private final Answers answers;
    private final TaskEnds ends;
    private final int rowsMax;
    private final TaskSteps steps = new TaskSteps();

    TaskReports(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.answers = new Answers(tables);
        this.ends = new TaskEnds(tables);
        this.rowsMax = limits.rowsMax();
    }

    CommandResult report(Command.ReportTask report) {
        JobRow job = tables.jobs.findToChange(report.jobVersion());
        GroupRow group = job == null || report.group() >= job.groupCount() ? null : job.group(report.group());
        int row = group == null ? TaskTable.NO_ROW : group.row(report.index());
        if (group == null || (row == TaskTable.NO_ROW && group.isSurplus(report.index()))) {
            return answers.refused(Reason.UNKNOWN_TASK, "there is no task " + report.task());
        }
        if (row == TaskTable.NO_ROW || report.attempt() > tables.tasks.attempt(row)) {
            return answers.refused(Reason.ILLEGAL_STEP, "attempt " + report.attempt() + " was never placed");
        }
        return isCurrent(report, row) ? step(report, group, row) : refuseStale(report, row);
    }

    private boolean isCurrent(Command.ReportTask report, int row) {
        return report.attempt() == tables.tasks.attempt(row)
                && (report.placementVersionOrZero() == 0 || isPlacedBy(report, row));
    }

    private boolean isPlacedBy(Command.ReportTask report, int row) {
        Origin origin = tables.tasks.origin(row);
        return origin != null
                && origin.version() == report.placementVersionOrZero()
                && tables.tasks.ordinal(row) == report.placementOrdinal();
    }

    private CommandResult refuseStale(Command.ReportTask report, int row) {
        return answers.refused(
                Reason.NOT_CURRENT,
                "attempt " + report.attempt() + " is over, the task is at " + tables.tasks.attempt(row) + ": stop it");
    }

    private CommandResult step(Command.ReportTask report, GroupRow group, int row) {
        TaskState before = tables.facts.stateOf(row);
        TaskState next = asAskedFor(report.state(), row);
        if (before == next) {
            return answers.unchanged(report.jobVersion());
        }
        if (before == TaskState.LOST) {
            return refuseStale(report, row);
        }
        if (next == TaskState.STOPPING || !before.mayBecome(next) || before == TaskState.PENDING) {
            return answers.refused(Reason.ILLEGAL_STEP, "no attempt goes from " + before + " to " + next);
        }
        steps.begin(
                next,
                reason(report, next, row),
                report.exitCodeOrNone(),
                startedAt(report, next),
                endedAt(report, next));
        tables.tasksStepped(group, steps.add(report.index()));
        if (next == TaskState.FAILED) {
            ends.endIfTooManyFailed(group.job(), rowsMax);
        }
        return answers.changed(report.jobVersion());
    }

    /** An agent that killed a preempted task reports a kill, because only the cell knows the cause. */
    private TaskState asAskedFor(TaskState reported, int row) {
        boolean preempted = reported == TaskState.KILLED && tables.tasks.reason(row) == TaskReason.PREEMPTED;
        return preempted ? TaskState.PREEMPTED : reported;
    }

    /** The reason for which the task was told to stop stands, unless the agent gives one. */
    private TaskReason reason(Command.ReportTask report, TaskState next, int row) {
        boolean killed = next == TaskState.KILLED || next == TaskState.PREEMPTED;
        return killed && report.reason() == TaskReason.NONE ? tables.tasks.reason(row) : report.reason();
    }

    private long startedAt(Command.ReportTask report, TaskState next) {
        return orElse(report.startedAtMillisOrZero(), next == TaskState.RUNNING);
    }

    private long endedAt(Command.ReportTask report, TaskState next) {
        return orElse(report.endedAtMillisOrZero(), next.isEnded());
    }

    /** The reported time; if the report has none and the event happens now, the wall time of the command. */
    private long orElse(long said, boolean isNow) {
        return said == 0 && isNow ? tables.wallTimeMillis() : said;
    }
}
