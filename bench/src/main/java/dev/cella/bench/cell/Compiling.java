package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;

/** The processor time of the compilers of the servers' JVMs and of this one until a moment. */
record Compiling(long nanoTime, Duration compiled) {
    static Compiling now(BenchedCell cell) throws IOException {
        Duration own = CompilerThreads.cpu(ProcessHandle.current().pid());
        return new Compiling(System.nanoTime(), cell.compiling().plus(own));
    }

    /** Its fraction of the time of all processors since then. */
    double since(Compiling earlier) {
        double had =
                (double) (nanoTime - earlier.nanoTime) * Runtime.getRuntime().availableProcessors();
        return compiled.minus(earlier.compiled).toNanos() / had;
    }
}
