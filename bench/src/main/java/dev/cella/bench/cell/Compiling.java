package dev.cella.bench.cell;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * For how long the compilers of the servers' JVMs and of this one have been at work until one moment. To ask takes a moment too.
 */
record Compiling(long nanoTime, Duration compiled) {
    static Compiling now(BenchedCell cell) throws IOException, InterruptedException {
        long own = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
        return new Compiling(System.nanoTime(), cell.compiling().plusMillis(own));
    }

    /** The fraction of the time of all processors that it was since. */
    double since(Compiling earlier) {
        double had =
                (double) (nanoTime - earlier.nanoTime) * Runtime.getRuntime().availableProcessors();
        return compiled.minus(earlier.compiled).toNanos() / had;
    }
}
