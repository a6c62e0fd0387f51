package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.ReadAhead;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Applies agents' reports about tasks. A report about another attempt or placement than the task's current one is refused as
 * NOT_CURRENT, which tells the agent to stop it. A repeated report changes nothing. A step that the life cycle of an attempt
 * does not have is refused. The first report that a check has passed changes a running task, which goes on running.
 *
 * <h2>Many reports in one command</h2>
 *
 * Reports that come together are mostly alike: many tasks of a group run since the same moment. Steps that are alike are
 * collected and written together, as one change. A report about another group, or about an index that is not above the one
 * before, may depend on the collected steps; they are written before it is read.
 */
public final class TaskReports {
    private final Tables tables;
    private final Answers answers;
    private final TaskEnds ends;
    private final int rowsMax;
    private final ReadAhead readAhead;

    /** Steps that are collected but not written yet, and their group. */
    private final TaskSteps steps = new TaskSteps();

    private @Nullable GroupRow stepping;

    public TaskReports(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.answers = new Answers(tables);
        this.ends = new TaskEnds(tables);
        this.rowsMax = limits.rowsMax();
        this.readAhead = new ReadAhead(tables);
    }

    public CommandResult report(Command.ReportTask report) {
        if (isBelowChecks() && saysCheck(report)) {
            return refuseChecks();
        }
        CommandResult result = collect(report);
        writeSteps();
        return result;
    }

    public CommandResult report(Command.ReportTasks command) {
        if (tables.featureLevel() < EntryCodec.MANY_REPORTS_LEVEL) {
            return answers.refused(
                    Reason.NOT_ALLOWED, "many reports at once need feature level " + EntryCodec.MANY_REPORTS_LEVEL);
        }
        if (isBelowChecks() && command.reports().stream().anyMatch(TaskReports::saysCheck)) {
            return refuseChecks();
        }
        SortedMap<Integer, Reason> refused = new TreeMap<>();
        List<Command.ReportTask> reports = command.reports();
        for (int place = 0; place < reports.size(); place++) {
            if (place % ReadAhead.TASKS == 0) {
                readAhead.reports(reports.subList(place, Math.min(reports.size(), place + ReadAhead.TASKS)));
            }
            if (collect(reports.get(place)) instanceof CommandResult.Refused refusal) {
                refused.put(place, refusal.reason());
            }
        }
        writeSteps();
        return answers.reported(refused);
    }

    private boolean isBelowChecks() {
        return tables.featureLevel() < EntryCodec.CHECKS_LEVEL;
    }

    private static boolean saysCheck(Command.ReportTask report) {
        return report.reason().isOfCheck();
    }

    private CommandResult refuseChecks() {
        return answers.refused(Reason.NOT_ALLOWED, "checks in reports need feature level " + EntryCodec.CHECKS_LEVEL);
    }

    private CommandResult collect(Command.ReportTask report) {
        JobRow job = tables.jobs.findToChange(report.jobVersion());
        GroupRow group = job == null || report.group() >= job.groupCount() ? null : job.group(report.group());
        if (stepping != null && (stepping != group || report.index() <= steps.index(steps.count() - 1))) {
            writeSteps();
        }
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
        boolean passes = report.reason() == TaskReason.CHECKED
                && before == TaskState.RUNNING
                && tables.tasks.reason(row) != TaskReason.CHECKED;
        if (before == next && !passes) {
            return answers.unchanged(report.jobVersion());
        }
        if (before == TaskState.LOST) {
            return refuseStale(report, row);
        }
        if (next == TaskState.STOPPING || !(passes || before.mayBecome(next)) || before == TaskState.PENDING) {
            return answers.refused(Reason.ILLEGAL_STEP, "no attempt goes from " + before + " to " + next);
        }
        collectStep(report, next, group, row);
        if (next == TaskState.FAILED) {
            writeSteps();
            ends.endIfTooManyFailed(group.job(), rowsMax);
        }
        return answers.changed(report.jobVersion());
    }

    private void collectStep(Command.ReportTask report, TaskState next, GroupRow group, int row) {
        TaskReason reason = reason(report, next, row);
        long startedAt = tables.facts.stateOf(row) == next ? 0 : startedAt(report, next);
        long endedAt = endedAt(report, next);
        if (stepping == null || !steps.isOf(next, reason, report.exitCodeOrNone(), startedAt, endedAt)) {
            writeSteps();
            steps.begin(next, reason, report.exitCodeOrNone(), startedAt, endedAt);
            stepping = group;
        }
        steps.add(report.index());
    }

    private void writeSteps() {
        if (stepping != null) {
            tables.tasksStepped(stepping, steps);
            stepping = null;
        }
    }

    /**
     * An agent that killed a preempted task reports a kill, because only the cell knows the cause. A task whose copy finished
     * counts as killed even if it failed or was lost meanwhile.
     */
    private TaskState asAskedFor(TaskState reported, int row) {
        if (reported != TaskState.FINISHED && reported.isEnded() && tables.facts.isEndingBeside(row)) {
            return TaskState.KILLED;
        }
        boolean preempted = reported == TaskState.KILLED && tables.tasks.reason(row) == TaskReason.PREEMPTED;
        return preempted ? TaskState.PREEMPTED : reported;
    }

    /** The reason for which the task was told to stop stands, unless the agent gives one. */
    private TaskReason reason(Command.ReportTask report, TaskState next, int row) {
        boolean killed = next == TaskState.KILLED || next == TaskState.PREEMPTED;
        boolean stands = report.reason() == TaskReason.NONE || tables.facts.isEndingBeside(row);
        return killed && stands ? tables.tasks.reason(row) : report.reason();
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
