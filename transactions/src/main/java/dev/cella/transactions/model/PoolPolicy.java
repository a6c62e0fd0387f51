package dev.cella.transactions.model;

/**
 * An operator's policy for a pool: its weight and its minimum in the fair share, the limit that the commit enforces, the order
 * in which its own jobs are served, and the times after which a scheduler may end others' tasks to give it its minimum or half
 * of its fair share; 0 means never. Schedulers read all of it; the commit reads only the limits.
 */
public record PoolPolicy(
        int weight, Amounts minimum, Limits limits, Order order, long minimumTimeoutMillis, long fairTimeoutMillis) {
    public static final int WEIGHT_MAX = 1_000_000;

    /** The policy of a pool that nobody defined. */
    public static final PoolPolicy DEFAULT = new PoolPolicy(1, Amounts.NONE, Limits.NONE, Order.FAIR, 0, 0);

    /** The order in which the jobs of one pool are served. */
    public enum Order {
        FAIR,
        FIFO
    }

    public PoolPolicy {
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException("a weight is from 1 to " + WEIGHT_MAX + ", not " + weight);
        }
        if (minimumTimeoutMillis < 0 || fairTimeoutMillis < 0) {
            throw new IllegalArgumentException("the time-outs of a pool are not negative");
        }
        if (minimum.namesMembers()) {
            throw new IllegalArgumentException("a pool's minimum is counted, and names no members");
        }
        for (int place = 0; place < minimum.size(); place++) {
            if (minimum.at(place) > limits.at(place)) {
                throw new IllegalArgumentException(
                        "a pool's minimum of " + minimum.at(place) + " is above its limit of " + limits.at(place));
            }
        }
    }

    public long digest() {
        long digest = Digests.mix(Digests.mix(weight, minimum.digest()), limits.digest());
        digest = Digests.mix(digest, order == Order.FAIR ? 1 : 2);
        return Digests.mix(Digests.mix(digest, minimumTimeoutMillis), fairTimeoutMillis);
    }
}
