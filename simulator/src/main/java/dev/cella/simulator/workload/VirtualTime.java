package dev.cella.simulator.workload;

/** Virtual time counts whole nanoseconds: sums are exact, and 292 years fit. */
public final class VirtualTime {
    public static final long NANOS_PER_SECOND = 1_000_000_000L;
    public static final long NANOS_PER_MILLI = 1_000_000L;
    public static final double SECONDS_PER_DAY = 86_400;

    /** The longest time that a trace may say, in seconds: 95 years. The end of a task that begins then is no overflow. */
    static final double SECONDS_MAX = 3e9;

    /** A time that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    private VirtualTime() {}

    public static long nanos(double seconds) {
        return Math.round(seconds * NANOS_PER_SECOND);
    }

    public static double seconds(long nanos) {
        return (double) nanos / NANOS_PER_SECOND;
    }

    /** For means, which are no whole numbers. */
    public static double seconds(double nanos) {
        return nanos / NANOS_PER_SECOND;
    }
}
