package dev.cella.scheduler.batch.fair;

import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.FairShares;
import dev.cella.transactions.model.PoolPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pools of a cell during a plan, and the next one: below the root the pool that is furthest below its minimum, and if none
 * is, the one with the lowest dominant share by its weight; the same rule chooses among its children. Ties go by name. Belongs
 * to one plan.
 *
 * <p>A pool with own jobs and pools below it serves its own jobs first.
 */
final class PoolTree {
    private final Map<String, PoolNode> pools = new TreeMap<>();
    private final List<PoolNode> roots = new ArrayList<>();
    private final long[] capacity;
    private final Comparator<PoolNode> neediestFirst;

    private PoolTree(long[] capacity) {
        this.capacity = capacity;
        this.neediestFirst = Comparator.comparing((PoolNode pool) -> !pool.isBelowMinimum())
                .thenComparingDouble(
                        pool -> pool.isBelowMinimum() ? pool.partOfMinimum() : pool.weightedShare(capacity))
                .thenComparing(pool -> pool.path);
    }

    /** The pools of the cell, with what the scheduler has in flight counted as used. */
    static PoolTree of(PlanningView cell, String scheduler) {
        CellView view = cell.view();
        PoolTree tree = new PoolTree(capacity(cell));
        view.pools().forEach(tree::add);
        for (JobRow job : view.pendingJobs(scheduler)) {
            PoolNode pool = tree.pool(job.header().pool());
            for (GroupRow group : job.groups()) {
                int left = cell.pending(group);
                pool.uses(group.header().shape(), (long) group.pending() - left);
                pool.asks(group.header().shape(), left);
            }
        }
        tree.divide(tree.roots, tree.capacity);
        return tree;
    }

    /** The total of the view's machines, DOWN or not: only a part of the cell if the scheduler plans on a part. */
    private static long[] capacity(PlanningView cell) {
        CellView view = cell.view();
        long[] sums = new long[view.dimensions().size()];
        if (cell.machineSet().isEmpty()) {
            Arrays.setAll(sums, dimension -> view.totalCapacity(dimension) + view.totalCapacityDown(dimension));
        } else {
            cell.slots().filter(view::machineExists).forEach(slot -> addCapacity(view, slot, sums));
        }
        return sums;
    }

    private static void addCapacity(CellView view, int slot, long[] sums) {
        for (int dimension = 0; dimension < sums.length; dimension++) {
            sums[dimension] += view.capacity(slot, dimension);
        }
    }

    private PoolNode add(PoolRow row) {
        PoolNode known = pools.get(row.path());
        if (known != null) {
            return known;
        }
        PoolNode node =
                grow(row.path(), row.policy(), row.parent().map(this::add).orElse(null));
        for (int dimension = 0; dimension < capacity.length; dimension++) {
            node.use[dimension] = row.use(dimension);
        }
        return node;
    }

    private PoolNode grow(String path, PoolPolicy policy, @Nullable PoolNode parent) {
        PoolNode node = new PoolNode(path, policy, parent, capacity.length);
        pools.put(path, node);
        if (parent == null) {
            roots.add(node);
        }
        return node;
    }

    /** The pool of that path. A pool that the cell does not know yet uses nothing. */
    PoolNode pool(String path) {
        PoolNode known = pools.get(path);
        return known != null ? known : grow(path, PoolPolicy.DEFAULT, null);
    }

    // ---- fair shares

    /** Divides a parent's due among its children, dimension by dimension, and so on below them. */
    private void divide(List<PoolNode> siblings, long[] due) {
        if (siblings.isEmpty()) {
            return;
        }
        for (int place = 0; place < capacity.length; place++) {
            int dimension = place;
            long[] shares = FairShares.divide(
                    due[dimension],
                    siblings.stream()
                            .map(pool -> new FairShares.Claimant(
                                    pool.policy.weight(), pool.policy.minimum().at(dimension), pool.demand(dimension)))
                            .toList());
            for (int sibling = 0; sibling < siblings.size(); sibling++) {
                siblings.get(sibling).share[dimension] = shares[sibling];
            }
        }
        siblings.forEach(pool -> divide(pool.children, pool.share));
    }

    // ---- who is next

    /** The job that gets the next task, if any can get one. */
    Optional<JobFilling> next() {
        Optional<PoolNode> pool = neediest(roots);
        while (pool.isPresent() && pool.get().jobs.isEmpty()) {
            pool = neediest(pool.get().children);
        }
        return pool.flatMap(this::nextJob);
    }

    private Optional<PoolNode> neediest(List<PoolNode> siblings) {
        return siblings.stream().filter(PoolNode::hasWork).min(neediestFirst);
    }

    private Optional<JobFilling> nextJob(PoolNode pool) {
        return pool.policy.order() == PoolPolicy.Order.FIFO
                ? Optional.of(pool.jobs.get(0))
                : pool.jobs.stream().min(Comparator.comparingDouble(job -> PoolNode.dominant(job.use(), capacity, 1)));
    }

    /** A task of that shape was placed for the pool. */
    void placed(PoolNode pool, Amounts shape) {
        pool.uses(shape, 1);
        pool.asks(shape, -1);
    }
}
