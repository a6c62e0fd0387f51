package dev.cella.agent;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long tasks run, estimated from those that the agent saw finish, anywhere in the cell or on its machines: by the mean of
 * the group, else by the mean of all. Owned by the agent's loop.
 */
final class RunEstimates {
    private static final int GROUPS_MAX = 10_000;
    private static final double MILLIS_PER_SECOND = 1_000;

    /** The estimate for a task while no task has finished. */
    private static final double LEAST_SECONDS = 1;

    private record GroupId(JobId job, int group) {}

    private record Finished(long count, double seconds) {
        static final Finished NONE = new Finished(0, 0);

        Finished and(double more) {
            return new Finished(count + 1, seconds + more);
        }

        double mean() {
            return seconds / count;
        }
    }

    /** The group that was used least recently comes first. */
    private final Map<GroupId, Finished> byGroup = new LinkedHashMap<>(16, 0.75f, true);

    private Finished all = Finished.NONE;

    /** A task is on no machine. Only one that has finished tells how long its group runs. */
    void left(CellView view, TaskId task) {
        boolean hasFinished = view.job(task.job())
                .filter(job -> task.group() < job.groups().size())
                .filter(job -> view.taskState(job.groups().get(task.group()), task.index()) == TaskState.FINISHED)
                .isPresent();
        if (hasFinished) {
            view.task(task).ifPresent(this::finished);
        }
    }

    /** The tasks that this part of the cell shows as finished have left their machines since the part before. */
    void left(CellView part) {
        for (JobRow job : part.jobs()) {
            for (GroupRow group : job.groups()) {
                for (int index = 0; index < group.rowsEnd(); index++) {
                    if (part.taskState(group, index) == TaskState.FINISHED) {
                        finished(part.task(group, index));
                    }
                }
            }
        }
    }

    private void finished(TaskRow task) {
        if (task.startedAtMillis().isEmpty() || task.endedAtMillis().isEmpty()) {
            return;
        }
        long millis = task.endedAtMillis().getAsLong() - task.startedAtMillis().getAsLong();
        double seconds = Math.max(0, millis) / MILLIS_PER_SECOND;
        byGroup.merge(group(task.id()), Finished.NONE.and(seconds), (known, one) -> known.and(seconds));
        if (byGroup.size() > GROUPS_MAX) {
            byGroup.remove(byGroup.keySet().iterator().next());
        }
        all = all.and(seconds);
    }

    private static GroupId group(TaskId task) {
        return new GroupId(task.job(), task.group());
    }

    /** How long the task will run once it has started; a service runs for ever. */
    double wholeSeconds(TaskId task, JobType type) {
        if (type == JobType.SERVICE) {
            return Double.POSITIVE_INFINITY;
        }
        Finished finished = byGroup.getOrDefault(group(task), all);
        return finished.count() == 0 ? LEAST_SECONDS : finished.mean();
    }

    /** How much longer a task on the machine runs. A task of an unknown kind runs as long again as it has run. */
    double leftSeconds(TaskRow task, JobType type, long wallMillis) {
        if (task.state() == TaskState.STOPPING) {
            return 0;
        }
        double whole = wholeSeconds(task.id(), type);
        if (task.startedAtMillis().isEmpty() || Double.isInfinite(whole)) {
            return whole;
        }
        double elapsed = Math.max(0, wallMillis - task.startedAtMillis().getAsLong()) / MILLIS_PER_SECOND;
        return all.count() == 0 ? Math.max(LEAST_SECONDS, elapsed) : Math.max(overdue(whole), whole - elapsed);
    }

    /** A task that runs longer than others is expected to need a tenth of their time more. */
    private static double overdue(double whole) {
        return whole / 10;
    }
}
