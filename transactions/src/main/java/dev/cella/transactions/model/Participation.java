package dev.cella.transactions.model;

/**
 * A session's part in offers: it claims only from what is offered to it. The allocator shares among roles, by weight. The
 * session has no use for an offer below its minimum.
 */
public record Participation(String role, int weight, Amounts minimumOffer) {
    public static final int WEIGHT_MAX = 1_000_000;

    public Participation {
        Labels.checkName("role", role);
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException("a weight is from 1 to " + WEIGHT_MAX + ", not " + weight);
        }
        if (minimumOffer.namesMembers()) {
            throw new IllegalArgumentException("a minimum offer is counted, and names no members");
        }
    }

    public long digest() {
        return Digests.mix(Digests.mix(Digests.of(role), weight), minimumOffer.digest());
    }
}
