package dev.cella.cli.chaos;

import dev.cella.chaos.history.WorldResult;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * How much virtual time the runs of a command took, and how much time of a processor their threads did, with all checkers. The
 * JVM's own threads, which compile and collect garbage, are not in it. Any thread may add a run.
 */
final class RunSpeed {
    private static final double NANOS_PER_SECOND = 1e9;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final AtomicLong virtualNanos = new AtomicLong();
    private final AtomicLong cpuNanos = new AtomicLong();

    /** Runs it on the calling thread. */
    <R> R measure(Supplier<R> run) {
        long began = threads.getCurrentThreadCpuTime();
        R result = run.get();
        cpuNanos.addAndGet(threads.getCurrentThreadCpuTime() - began);
        return result;
    }

    /** Adds the time of a number of worlds, each of which ran as long as this one. */
    void ran(WorldResult world, int worlds) {
        virtualNanos.addAndGet(worlds * world.history().endedAtNanos());
    }

    double timesRealTime() {
        return (double) virtualNanos.get() / Math.max(1, cpuNanos.get());
    }

    /** "62 s of virtual time in 0.25 s of a processor: 248 times real time". */
    String text() {
        return String.format(
                Locale.ROOT,
                "%.0f s of virtual time in %.2f s of a processor: %.0f times real time",
                virtualNanos.get() / NANOS_PER_SECOND,
                cpuNanos.get() / NANOS_PER_SECOND,
                timesRealTime());
    }
}
