package dev.cella.simulator.engine;

/** When a job that cannot be placed whole is given up: no simulation of an overfull cell would end otherwise. */
public record AttemptLimits(int withoutProgressMax, int max) {
    public static final AttemptLimits DEFAULT = new AttemptLimits(100, 1000);

    public AttemptLimits {
        if (withoutProgressMax < 1 || max < 1) {
            throw new ImpossibleParameterException("a job is attempted at least once", "--attempts-max 1000");
        }
    }
}
