package dev.cella.state.web.service;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the reasons why tasks of a job can never be placed with the present limits of its pools and the rights of its
 * scheduler.
 */
final class PolicyBounds {
    private final CellView view;
    private final JobHeader job;
    private final List<String> reasons = new ArrayList<>();

    private PolicyBounds(CellView view, JobHeader job) {
        this.view = view;
        this.job = job;
    }

    /** One sentence per reason; none if quota and rights allow all of its tasks. */
    static List<String> of(CellView view, JobHeader job) {
        PolicyBounds bounds = new PolicyBounds(view, job);
        bounds.checkRights(view.rights(job.scheduler()));
        job.groups().forEach(bounds::checkPools);
        return bounds.reasons;
    }

    private void checkRights(Rights rights) {
        if (job.priority() > rights.priorityMax()) {
            reasons.add("priority %d is above the highest that scheduler %s may place, %d"
                    .formatted(job.priority(), job.scheduler(), rights.priorityMax()));
        } else if (!rights.mayPlace(job.priority(), job.pool())) {
            reasons.add("scheduler %s may place nothing in pool %s, only in %s"
                    .formatted(job.scheduler(), job.pool(), String.join(", ", rights.pools())));
        }
        if (!rights.machines().isEmpty() && !RightsService.hasMachine(view, rights)) {
            reasons.add("no machine of the cell is one that scheduler " + job.scheduler() + " may use");
        }
    }

    private void checkPools(GroupHeader group) {
        if (group.count() == 0) {
            return;
        }
        for (String path = job.pool(); !path.isEmpty(); path = path.substring(0, Math.max(0, path.lastIndexOf('/')))) {
            Optional<PoolRow> pool = view.pool(path);
            if (pool.isPresent()) {
                check(group, pool.get());
            }
        }
    }

    /** Counts the tasks that must hold their amounts at the same time. */
    private void check(GroupHeader group, PoolRow pool) {
        int together = group.gang().map(Gang::min).orElse(1);
        Amounts shape = group.shape();
        for (int dimension = 0; dimension < shape.size(); dimension++) {
            long limit = pool.limits().at(dimension);
            if (shape.at(dimension) > 0 && limit / shape.at(dimension) < together) {
                String name = view.dimensions().nameAt(dimension);
                reasons.add("%s of group %s asks %d %s, and the limit of pool %s is %d"
                        .formatted(
                                together == 1 ? "each task" : "the gang of " + together,
                                group.name(),
                                shape.at(dimension) * together,
                                name,
                                pool.path(),
                                limit));
            }
        }
    }
}
