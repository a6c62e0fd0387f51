package dev.cella.scheduler.batch.megha;

import dev.cella.scheduler.batch.SharedMap;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The amounts that the tasks of each job have on machines, as one version of a cell shows them. Immutable.
 *
 * <p>To read all tasks of all jobs in each plan would take as long as the cell has tasks. A job whose row has not changed since
 * the last count has the same tasks as then, so only the others are read.
 */
final class JobUses {
    static final JobUses NONE = new JobUses(Optional.empty(), SharedMap.of(Map.of()));

    private static final class Use {
        final long changedVersion;
        final long[] amounts;

        Use(CellView view, JobRow job) {
            changedVersion = job.changedVersion();
            amounts = new long[view.dimensions().size()];
            job.groups().forEach(group -> count(view, group));
        }

        private void count(CellView view, GroupRow group) {
            int left = group.onMachines();
            for (int index = 0; index < group.header().count() && left > 0; index++) {
                if (view.machineOf(group, index) >= 0) {
                    left--;
                    count(view.task(group, index));
                }
            }
        }

        private void count(TaskRow task) {
            boolean isPlaced = task.state() == TaskState.PLACED || task.state() == TaskState.RUNNING;
            for (int dimension = 0; isPlaced && dimension < task.resources().size(); dimension++) {
                amounts[dimension] += task.resources().at(dimension);
            }
        }
    }

    private final Optional<Incarnation> history;
    private final SharedMap<JobId, Use> jobs;

    private JobUses(Optional<Incarnation> history, SharedMap<JobId, Use> jobs) {
        this.history = history;
        this.jobs = jobs;
    }

    /** The uses of these jobs as the view shows them. In another history, a job of the same id and version is another one. */
    JobUses of(CellView view, List<JobRow> live) {
        Optional<Incarnation> now = Optional.of(view.incarnation());
        SharedMap<JobId, Use> known = now.equals(history) ? jobs : SharedMap.of(Map.of());
        Map<JobId, Use> changed = new LinkedHashMap<>();
        for (JobRow job : live) {
            Use use = known.get(job.id());
            if (use == null || use.changedVersion != job.changedVersion()) {
                changed.put(job.id(), new Use(view, job));
            }
        }
        SharedMap<JobId, Use> all = known.with(changed);
        return new JobUses(now, all.size() == live.size() ? all : only(live, all));
    }

    private static SharedMap<JobId, Use> only(List<JobRow> live, Map<JobId, Use> all) {
        Map<JobId, Use> left = new LinkedHashMap<>();
        live.forEach(job -> left.put(job.id(), Objects.requireNonNull(all.get(job.id()))));
        return SharedMap.of(left);
    }

    /** What the job's tasks have in that dimension. */
    long at(JobId job, int dimension) {
        long[] amounts = Objects.requireNonNull(jobs.get(job)).amounts;
        return dimension < amounts.length ? amounts[dimension] : 0;
    }
}
