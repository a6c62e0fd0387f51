package dev.cella.scheduler.batch.fair;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Places the tasks of one job, one whenever its pool is next. Belongs to one plan. */
final class JobFilling {
    private final JobWork work;
    private final List<GroupFilling> groups = new ArrayList<>();
    private final long[] use;

    JobFilling(
            JobWork work,
            PlanningView cell,
            Racks racks,
            FreeMachines free,
            SplittableRandom random,
            FairScheduler.Turn turn) {
        this.work = work;
        this.use = use(cell, work);
        NearInput near = new NearInput(cell, racks, random);
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            Delay delay = turn.memory()
                    .delay(new FairMemory.GroupKey(work.key(), group.header().name()));
            groups.add(new GroupFilling(cell, work.id(), group, near, free, random, delay, turn.now()));
        }
    }

    /** The amounts that its tasks use, including those in flight. */
    private static long[] use(PlanningView cell, JobWork work) {
        long[] sums = new long[cell.view().dimensions().size()];
        List<GroupRow> rows = cell.view().job(work.id()).map(JobRow::groups).orElse(List.of());
        for (GroupRow row : rows) {
            long tasks = (long) row.onMachines() + row.pending() - cell.pending(row);
            addTo(sums, row.header().shape(), tasks);
        }
        return sums;
    }

    private static void addTo(long[] sums, Amounts shape, long times) {
        for (int dimension = 0; dimension < Math.min(sums.length, shape.size()); dimension++) {
            sums[dimension] += times * shape.at(dimension);
        }
    }

    JobWork work() {
        return work;
    }

    long[] use() {
        return use;
    }

    List<GroupFilling> groups() {
        return groups;
    }

    /** Places one task of the first group with a task that can be placed, and returns its shape. */
    Optional<Amounts> placeOne() {
        for (GroupFilling group : groups) {
            if (group.placeOne()) {
                addTo(use, group.shape(), 1);
                return Optional.of(group.shape());
            }
        }
        return Optional.empty();
    }
}
