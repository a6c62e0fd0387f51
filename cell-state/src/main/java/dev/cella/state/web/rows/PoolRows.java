package dev.cella.state.web.rows;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.Pool;
import dev.cella.client.proto.PoolOrder;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.FairShares;
import dev.cella.transactions.model.FairShares.Claimant;
import dev.cella.transactions.model.PoolPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pools of one version of the cell in the wire contract: their policy, their use and demand, and their fair share. Sibling
 * pools divide their parent's share by {@link FairShares}; the parent's own tasks take part as a sibling of weight 1.
 */
public final class PoolRows {
    /** One pool, with its own demand. */
    private static final class Node {
        private final String path;
        private final PoolPolicy policy;
        private final boolean defined;
        private final long[] used;
        private final long[] ownPending;
        private final List<Node> children = new ArrayList<>();
        private boolean shown;
        private final long[] share;

        Node(PoolRow row, int dimensions) {
            path = row.path();
            policy = row.policy();
            defined = row.isDefined() || row.limits().size() > 0;
            used = new long[dimensions];
            Arrays.setAll(used, row::use);
            ownPending = new long[dimensions];
            share = new long[dimensions];
        }

        long pending(int dimension) {
            long pending = ownPending[dimension];
            for (Node child : children) {
                pending = Math.min(pending + child.pending(dimension), Amounts.AMOUNT_MAX);
            }
            return pending;
        }

        /** The amount that it holds and still asks for, at most its limit. */
        long demand(int dimension) {
            return Math.min(
                    policy.limits().at(dimension), Math.min(used[dimension] + pending(dimension), Amounts.AMOUNT_MAX));
        }

        Claimant claimant(int dimension) {
            return new Claimant(policy.weight(), policy.minimum().at(dimension), demand(dimension));
        }

        /** Its own tasks as a claimant besides its children. */
        Claimant own(int dimension) {
            long own = used[dimension];
            for (Node child : children) {
                own -= child.used[dimension];
            }
            return new Claimant(1, 0, Math.max(0, own) + ownPending[dimension]);
        }
    }

    private final CellView view;
    private final int width;
    private final long[] capacity;
    private final Map<String, Node> nodes = new TreeMap<>();

    private PoolRows(CellView view) {
        this.view = view;
        this.width = view.dimensions().size();
        this.capacity = capacity(view);
        view.pools().forEach(row -> nodes.put(row.path(), new Node(row, width)));
        List<Node> roots = new ArrayList<>();
        nodes.forEach((path, node) -> {
            int slash = path.lastIndexOf('/');
            (slash < 0 ? roots : node(path.substring(0, slash)).children).add(node);
        });
        nodes.values().stream().filter(node -> node.defined).forEach(this::show);
        view.jobs().forEach(this::count);
        for (int dimension = 0; dimension < width; dimension++) {
            divide(capacity[dimension], roots, Optional.empty(), dimension);
        }
    }

    /** The pools that were defined or have live jobs, and the ancestors of both, by path. */
    public static List<Pool> all(CellView view) {
        PoolRows rows = new PoolRows(view);
        return rows.nodes.values().stream()
                .filter(node -> node.shown)
                .map(rows::message)
                .toList();
    }

    public static Optional<Pool> find(CellView view, String path) {
        PoolRows rows = new PoolRows(view);
        return Optional.ofNullable(rows.nodes.get(path))
                .filter(node -> node.shown)
                .map(rows::message);
    }

    /** What the machines that are not DOWN have, by dimension. */
    private static long[] capacity(CellView view) {
        long[] capacity = new long[view.dimensions().size()];
        Arrays.setAll(capacity, view::totalCapacity);
        return capacity;
    }

    /** A job's pool and all pools above a pool have rows while the job or pool exists. */
    private Node node(String path) {
        return Objects.requireNonNull(nodes.get(path), path);
    }

    private void count(JobRow job) {
        if (job.isEnded()) {
            return;
        }
        Node node = node(job.header().pool());
        for (GroupRow group : job.groups()) {
            Amounts shape = group.header().shape();
            for (int dimension = 0; !job.isStopped() && dimension < shape.size(); dimension++) {
                node.ownPending[dimension] = Math.min(
                        node.ownPending[dimension] + shape.at(dimension) * group.pending(), Amounts.AMOUNT_MAX);
            }
        }
        show(node);
    }

    /** Shows the pool and all pools above it. */
    private void show(Node node) {
        for (String path = node.path; !path.isEmpty(); path = path.substring(0, Math.max(0, path.lastIndexOf('/')))) {
            node(path).shown = true;
        }
    }

    private static void divide(long amount, List<Node> siblings, Optional<Claimant> own, int dimension) {
        List<Claimant> claimants = new ArrayList<>();
        siblings.forEach(node -> claimants.add(node.claimant(dimension)));
        own.ifPresent(claimants::add);
        long[] shares = FairShares.divide(amount, claimants);
        for (int place = 0; place < siblings.size(); place++) {
            Node node = siblings.get(place);
            node.share[dimension] = shares[place];
            if (!node.children.isEmpty()) {
                divide(shares[place], node.children, Optional.of(node.own(dimension)), dimension);
            }
        }
    }

    private Pool message(Node node) {
        Dimensions dimensions = view.dimensions();
        Amounts has = Amounts.of(capacity);
        long[] pending = new long[width];
        Arrays.setAll(pending, node::pending);
        Pool.Builder pool = Pool.newBuilder()
                .setName(node.path)
                .setWeight(node.policy.weight())
                .setOrder(PoolOrder.valueOf("POOL_ORDER_" + node.policy.order()))
                .putAllUsed(WireWords.amounts(dimensions, Amounts.of(node.used), has))
                .putAllPending(WireWords.amounts(dimensions, Amounts.of(pending), has))
                .putAllShare(WireWords.amounts(dimensions, Amounts.of(node.share), has))
                .setDominantShare(dominantShare(node))
                .setDefined(node.defined)
                .setVersion(view.version().number());
        for (int dimension = 0; dimension < width; dimension++) {
            if (node.policy.minimum().at(dimension) > 0) {
                pool.putMinimum(
                        dimensions.nameAt(dimension), node.policy.minimum().at(dimension));
            }
            if (node.policy.limits().at(dimension) != dev.cella.transactions.model.Limits.UNLIMITED) {
                pool.putLimit(dimensions.nameAt(dimension), node.policy.limits().at(dimension));
            }
        }
        putDeficit(node, pool);
        if (node.policy.minimumTimeoutMillis() > 0) {
            pool.setMinimumTimeout(Durations.fromMillis(node.policy.minimumTimeoutMillis()));
        }
        if (node.policy.fairTimeoutMillis() > 0) {
            pool.setFairTimeout(Durations.fromMillis(node.policy.fairTimeoutMillis()));
        }
        return pool.addAllWarnings(warnings(node)).build();
    }

    private void putDeficit(Node node, Pool.Builder pool) {
        for (int dimension = 0; dimension < width; dimension++) {
            long deficit = node.share[dimension] - node.used[dimension];
            if (deficit > 0) {
                pool.putDeficit(view.dimensions().nameAt(dimension), deficit);
            }
        }
    }

    private double dominantShare(Node node) {
        double dominant = 0;
        for (int dimension = 0; dimension < width; dimension++) {
            if (capacity[dimension] > 0) {
                dominant = Math.max(dominant, (double) node.used[dimension] / capacity[dimension]);
            }
        }
        return dominant;
    }

    private List<String> warnings(Node node) {
        List<String> warnings = new ArrayList<>();
        for (int dimension = 0; dimension < width; dimension++) {
            String name = view.dimensions().nameAt(dimension);
            long limit = node.policy.limits().at(dimension);
            long minimum = node.policy.minimum().at(dimension);
            if (limit < node.used[dimension]) {
                warnings.add(
                        "the limit of %d %s is below what is used, %d: nothing new of it is placed until that has ended"
                                .formatted(limit, name, node.used[dimension]));
            }
            if (minimum > capacity[dimension]) {
                warnings.add("the minimum of %d %s is above what the cell has, %d: it cannot be kept"
                        .formatted(minimum, name, capacity[dimension]));
            }
        }
        return warnings;
    }
}
