package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;

/** What the compilers of the servers' JVMs and of this one have used of the processors until one moment. */
record Compiling(long nanoTime, Duration compiled) {
    static Compiling now(BenchedCell cell) throws IOException {
        Duration own = CompilerThreads.cpu(ProcessHandle.current().pid());
        return new Compiling(System.nanoTime(), cell.compiling().plus(own));
    }

    /** The fraction of the time of all processors that it was since. */
    double since(Compiling earlier) {
        double had =
                (double) (nanoTime - earlier.nanoTime) * Runtime.getRuntime().availableProcessors();
        return compiled.minus(earlier.compiled).toNanos() / had;
    }
}
