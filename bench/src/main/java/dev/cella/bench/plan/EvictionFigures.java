package dev.cella.bench.plan;

/**
 * The cost of claims that evict, in seconds of one thread's CPU time, the best of the attempts.
 *
 * @param fewer what it costs with {@code evictions} of them
 * @param more the same with ten times as many
 */
public record EvictionFigures(String step, int evictions, double fewer, double more) {
    /** The cost of ten times the evictions, in costs of the smaller number; 10 if each costs the same. */
    public double ratio() {
        return more / fewer;
    }
}
