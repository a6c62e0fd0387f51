package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a group may get another number of tasks. A scheduler's step and an operator's command use the same rule.
 */
public final class ScaleRule {
    public static @Nullable Reason refuse(JobRow job, int group, int count) {
        if (group >= job.groupCount()) {
            return Reason.UNKNOWN_TASK;
        }
        if (job.isEnded() || job.isStopped() || job.group(group).isOfCopies()) {
            return Reason.NOT_ALLOWED;
        }
        int others = job.header().tasks() - job.group(group).header().count();
        boolean fits = others + count <= JobHeader.TASKS_MAX
                && job.group(group).header().mayHave(count);
        return fits ? null : Reason.BAD_COMMAND;
    }

    private ScaleRule() {}
}
