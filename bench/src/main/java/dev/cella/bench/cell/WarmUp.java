package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Waits until a loaded cell is warm. A fresh JVM spends more time on compiling than on commits, and several of them on a few
 * processors do so for long. So a cell counts as warm when all compilers together use little for a while, or when it has had
 * long enough.
 */
final class WarmUp {
    /** As long as a measurement that somebody waits for may warm up. */
    static final Duration MAX = Duration.ofMinutes(3);

    private static final Duration TOLD_EVERY = Duration.ofSeconds(5);

    private static final double COMPILING_WHEN_WARM = 0.05;

    /** Compilers pause: a step in which they do little may be followed by one in which they do much. */
    private static final int CALM_STEPS = 2;

    private WarmUp() {}

    /** Waits in steps of that length, while the load goes on, and tells how far it is. Returns the total time. */
    static Duration await(BenchedCell cell, Duration step, Duration max) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long toldNanos = begin;
        Compiling before = Compiling.now(cell);
        int calm = 0;
        while (calm < CALM_STEPS && System.nanoTime() - begin < max.toNanos()) {
            TimeUnit.NANOSECONDS.sleep(step.toNanos());
            Compiling after = Compiling.now(cell);
            double compiling = after.since(before);
            calm = compiling > COMPILING_WHEN_WARM ? 0 : calm + 1;
            if (System.nanoTime() - toldNanos >= TOLD_EVERY.toNanos()) {
                toldNanos = System.nanoTime();
                cell.say(
                        "warming up: %.0f s of at most %d s, the compilers take %.0f%% of the processors",
                        (toldNanos - begin) / 1e9, max.toSeconds(), 100 * compiling);
            }
            before = after;
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
