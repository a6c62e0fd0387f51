package dev.cella.simulator.engine;

/** The cores in use, averaged over time. */
public final class UtilisationMeter {
    private final double capacityMilli;
    private double usedMilliTimesNanos;
    private long usedMilli;
    private long sinceNanos;

    public UtilisationMeter(long capacityMilli) {
        this.capacityMilli = capacityMilli;
    }

    /** That much more is in use from now on; negative for less. */
    public void add(long cpuMilli, long nowNanos) {
        usedMilliTimesNanos += (double) usedMilli * (nowNanos - sinceNanos);
        sinceNanos = nowNanos;
        usedMilli += cpuMilli;
    }

    /** The average fraction of the capacity in use from the beginning until now. */
    public double mean(long nowNanos) {
        add(0, nowNanos);
        return nowNanos == 0 ? usedMilli / capacityMilli : usedMilliTimesNanos / nowNanos / capacityMilli;
    }
}
