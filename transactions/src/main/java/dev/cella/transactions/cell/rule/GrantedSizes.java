package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.JobHeader;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers of tasks that jobs have after what a transaction has been granted so far: first copies of tasks, then scales, as
 * they are applied. Each group is scaled once at most.
 */
final class GrantedSizes {
    private final Map<Long, Size> jobs = new HashMap<>();

    void clear() {
        jobs.clear();
    }

    /** Counts a copy of a task of that group. */
    void copied(GroupRow group) {
        Size size = size(group.job());
        size.tasks++;
        size.copies.merge(group.place(), 1, Integer::sum);
    }

    /** Returns whether the job has room for that number of tasks in the group. */
    boolean mayHave(GroupRow group, int count) {
        int more = count - group.header().count();
        return more <= 0 || size(group.job()).tasks + more <= JobHeader.TASKS_MAX;
    }

    /** Counts a scale. A group that shrinks loses its copies. */
    void scaled(GroupRow group, int count) {
        Size size = size(group.job());
        int more = count - group.header().count();
        size.tasks += more < 0 ? more - copies(group, size) : more;
    }

    private static int copies(GroupRow group, Size size) {
        int before = group.copies().map(copies -> copies.header().count()).orElse(0);
        return before + size.copies.getOrDefault(group.place(), 0);
    }

    private Size size(JobRow job) {
        return jobs.computeIfAbsent(
                job.id().version(), first -> new Size(job.header().tasks()));
    }

    private static final class Size {
        private final Map<Integer, Integer> copies = new HashMap<>();
        private int tasks;

        private Size(int tasks) {
            this.tasks = tasks;
        }
    }
}
