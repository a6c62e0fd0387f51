package dev.cella.simulator.engine;

/**
 * When to give up a job that cannot be placed completely. Without these limits a simulation of an overfull cell would never
 * end.
 */
public record AttemptLimits(int withoutProgressMax, int max) {
    public static final AttemptLimits DEFAULT = new AttemptLimits(100, 1000);

    public AttemptLimits {
        if (withoutProgressMax < 1 || max < 1) {
            throw new ImpossibleParameterException("a job is attempted at least once", "--attempts-max 1000");
        }
    }
}
