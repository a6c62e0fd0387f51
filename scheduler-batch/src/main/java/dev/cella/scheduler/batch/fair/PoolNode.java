package dev.cella.scheduler.batch.fair;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Labels;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.PoolPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pool during a plan: its use, including what this plan has given it so far, and its further demand. The pools below it
 * are its children. Belongs to one plan.
 */
final class PoolNode {
    final String path;
    final PoolPolicy policy;
    final List<PoolNode> children = new ArrayList<>();
    final List<JobFilling> jobs = new ArrayList<>();
    final long[] use;
    final long[] asked;
    final long[] share;
    private final @Nullable PoolNode parent;

    PoolNode(String path, PoolPolicy policy, @Nullable PoolNode parent, int dimensions) {
        this.path = path;
        this.policy = policy;
        this.parent = parent;
        this.use = new long[dimensions];
        this.asked = new long[dimensions];
        this.share = new long[dimensions];
        if (parent != null) {
            parent.children.add(this);
        }
    }

    /** Adds the amounts to the use of the pool and of those above it. */
    void uses(Amounts amounts, long times) {
        for (PoolNode node = this; node != null; node = node.parent) {
            add(node.use, amounts, times);
        }
    }

    /** Adds the amounts to the demand of the pool and of those above it. */
    void asks(Amounts amounts, long times) {
        for (PoolNode node = this; node != null; node = node.parent) {
            add(node.asked, amounts, times);
        }
    }

    /** Returns whether the pool of that path is this one or one below it. */
    boolean covers(String other) {
        return Labels.isPoolWithin(other, path);
    }

    static void add(long[] sums, Amounts amounts, long times) {
        for (int dimension = 0; dimension < Math.min(sums.length, amounts.size()); dimension++) {
            sums[dimension] += times * amounts.at(dimension);
        }
    }

    /** How many tasks of that shape, at most {@code max}, its limit and those above it leave beside the use. */
    long leaves(Amounts shape, long max) {
        long left = max;
        for (PoolNode node = this; node != null; node = node.parent) {
            Limits limits = node.policy.limits();
            for (int dimension = 0; dimension < Math.min(limits.size(), shape.size()); dimension++) {
                if (shape.at(dimension) > 0) {
                    long free = Math.max(0, limits.at(dimension) - node.use[dimension]);
                    left = Math.min(left, free / shape.at(dimension));
                }
            }
        }
        return left;
    }

    /** Its use if it got everything that it asks for. */
    long demand(int dimension) {
        return use[dimension] + asked[dimension];
    }

    /** Its least due: its minimum, as far as it asks for it. */
    long minimum(int dimension) {
        return Math.min(policy.minimum().at(dimension), demand(dimension));
    }

    boolean isBelowMinimum() {
        for (int dimension = 0; dimension < use.length; dimension++) {
            if (use[dimension] < minimum(dimension)) {
                return true;
            }
        }
        return false;
    }

    /** The fraction of its minimum that it uses, in the dimension with the lowest fraction. */
    double partOfMinimum() {
        double least = 1;
        for (int dimension = 0; dimension < use.length; dimension++) {
            if (minimum(dimension) > 0) {
                least = Math.min(least, (double) use[dimension] / minimum(dimension));
            }
        }
        return least;
    }

    /** Its dominant share divided by its weight: the largest fraction that it uses of any dimension of the cell. */
    double weightedShare(long[] capacity) {
        return dominant(use, capacity, policy.weight());
    }

    /** The largest fraction over the dimensions. It divides once, so that equal shares are equal numbers. */
    static double dominant(long[] amounts, long[] capacity, int weight) {
        double most = 0;
        for (int dimension = 0; dimension < capacity.length; dimension++) {
            if (capacity[dimension] > 0) {
                most = Math.max(most, amounts[dimension] / ((double) capacity[dimension] * weight));
            }
        }
        return most;
    }

    /** Returns whether a job in it or below it can still get a task. */
    boolean hasWork() {
        return !jobs.isEmpty() || children.stream().anyMatch(PoolNode::hasWork);
    }

    @Override
    public String toString() {
        return path + " uses " + Arrays.toString(use) + " and asks for " + Arrays.toString(asked);
    }
}
