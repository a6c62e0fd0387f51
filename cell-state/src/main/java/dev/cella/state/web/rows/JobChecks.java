package dev.cella.state.web.rows;

import dev.cella.client.proto.Group;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.JobStatus;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;

/** How the running tasks of a job stand with their checks. */
public final class JobChecks {
    private JobChecks() {}

    /** Counts them in the answer about one job, which has its groups and its specification already. */
    public static void count(CellView view, JobRow job, JobStatus.Builder status) {
        for (Group group : status.getSpecification().getGroupsList()) {
            int place = job.header().findGroup(group.getName());
            if (group.hasCheck() && place >= 0) {
                count(view, job.group(place), status.getGroupsBuilder(place));
            }
        }
    }

    private static void count(CellView view, GroupRow group, GroupStatus.Builder status) {
        int checked = 0;
        int unchecked = 0;
        for (int index = 0; index < group.header().count(); index++) {
            if (view.taskState(group, index) == TaskState.RUNNING) {
                TaskReason reason = view.task(group, index).reason();
                checked += reason == TaskReason.CHECKED ? 1 : 0;
                unchecked += reason == TaskReason.AWAITS_CHECK ? 1 : 0;
            }
        }
        status.setChecked(checked).setUnchecked(unchecked);
    }
}
