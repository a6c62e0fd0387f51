package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;

/** The processor time of the compilers of this JVM and of others until a moment. */
public record Compiling(long nanoTime, Duration compiled) {
    /** The processor time of the compilers of other processes until now. */
    @FunctionalInterface
    public interface Others {
        Duration cpu() throws IOException;
    }

    static Compiling now(BenchedCell cell) throws IOException {
        return now(cell::compiling);
    }

    static Compiling now(Others others) throws IOException {
        Duration own = CompilerThreads.cpu(ProcessHandle.current().pid());
        return new Compiling(System.nanoTime(), others.cpu().plus(own));
    }

    /** Its fraction of the time of all processors since then. */
    double since(Compiling earlier) {
        double had =
                (double) (nanoTime - earlier.nanoTime) * Runtime.getRuntime().availableProcessors();
        return compiled.minus(earlier.compiled).toNanos() / had;
    }
}
