package dev.cella.chaos.processes;

import java.util.function.LongSupplier;

/** The time of a run: nanoseconds since it began, and when that was by the wall clock. Any thread may read it. */
final class RunClock implements LongSupplier {
    private static final long MILLI = 1_000_000;

    private volatile long beganNanos = System.nanoTime();
    private volatile long beganMillis = System.currentTimeMillis();

    /** The run begins now. */
    void begin() {
        beganNanos = System.nanoTime();
        beganMillis = System.currentTimeMillis();
    }

    @Override
    public long getAsLong() {
        return System.nanoTime() - beganNanos;
    }

    long millis() {
        return getAsLong() / MILLI;
    }

    /** The beginning by the wall clock. */
    long beganMillis() {
        return beganMillis;
    }
}
