package dev.cella.scheduling.placement;

/** A wish: machines that meet the constraint are worth {@code weight} more, or less if it is negative. */
public record Affinity(Constraint wish, int weight) {
    public static final int WEIGHT_MAX = 100;

    public Affinity {
        if (weight < -WEIGHT_MAX || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "a weight is from -" + WEIGHT_MAX + " to " + WEIGHT_MAX + ", not " + weight);
        }
    }
}
