package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;

/**
 * The processor time of this JVM and of others until a moment.
 *
 * @param compiled that of their compilers
 * @param used all of it
 */
public record Compiling(long nanoTime, Duration compiled, Duration used) {
    static Compiling now(OtherProcesses others) throws IOException {
        ProcessHandle self = ProcessHandle.current();
        return new Compiling(
                System.nanoTime(),
                others.compiling().plus(CompilerThreads.cpu(self.pid())),
                others.cpu().plus(self.info().totalCpuDuration().orElse(Duration.ZERO)));
    }

    /** The fraction that compilers took of the time of all processors since then. */
    double since(Compiling earlier) {
        double had =
                (double) (nanoTime - earlier.nanoTime) * Runtime.getRuntime().availableProcessors();
        return compiled.minus(earlier.compiled).toNanos() / had;
    }

    /** The fraction that compilers took of the time that was used since then. */
    double partSince(Compiling earlier) {
        return (double) compiled.minus(earlier.compiled).toNanos()
                / used.minus(earlier.used).toNanos();
    }
}
