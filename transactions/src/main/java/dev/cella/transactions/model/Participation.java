package dev.cella.transactions.model;

/**
 * That a session takes part in offers: it claims only from what is offered to it. Its role is the name under which the
 * allocator shares, by weight; what is less than the minimum offer is of no use to it.
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
