package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Tells when a loaded cell is warm. A fresh JVM spends more time on compiling than on commits, and several of them on a few
 * processors do so for long. So a cell counts as warm when all compilers together use little of what the cell uses for a while,
 * or when it has had long enough.
 */
public final class WarmUp {
    /** As long as a measurement that somebody waits for may warm up. */
    static final Duration MAX = Duration.ofMinutes(3);

    /** The first step is told at once. */
    private static final Duration TOLD_EVERY = Duration.ofSeconds(5);

    private static final double COMPILING_WHEN_WARM = 0.05;

    /** A longer step tells no more. */
    private static final Duration STEP_MAX = Duration.ofSeconds(30);

    /** Compilers pause: a step in which they do little may be followed by one in which they do much. */
    private static final int CALM_STEPS = 2;

    private final OtherProcesses others;
    private final Duration least;
    private final Duration step;
    private final Duration max;
    private final Consumer<String> progress;
    private final long begunNanos = System.nanoTime();
    private long toldNanos = begunNanos - TOLD_EVERY.toNanos();
    private Compiling before;
    private int calm;

    /**
     * Begins to look at the compilers, once a step, or once in thirty seconds if a step is longer.
     *
     * @param others the compilers of the cell's processes other than this one
     * @param least the cell does not count as warm before it
     */
    public WarmUp(OtherProcesses others, Duration least, Duration step, Duration max, Consumer<String> progress)
            throws IOException {
        this.others = others;
        this.least = least;
        this.step = step.compareTo(STEP_MAX) < 0 ? step : STEP_MAX;
        this.max = max;
        this.progress = progress;
        this.before = Compiling.now(others);
    }

    /** A load that goes on while somebody waits; it throws as soon as it has failed. */
    interface Load {
        void goOn(Duration pause) throws InterruptedException;
    }

    /** Waits in such steps, while the load goes on, and tells how far it is. Returns the total time. */
    static Duration await(BenchedCell cell, Load load, Duration least, Duration step, Duration max)
            throws IOException, InterruptedException {
        WarmUp warmUp = new WarmUp(cell.others(), least, step, max, cell.progress());
        while (!warmUp.isOver()) {
            load.goOn(warmUp.step);
        }
        return warmUp.lasted();
    }

    /** Returns whether the cell is warm, or has had long enough. Ask it now and then while the load goes on. */
    public boolean isOver() throws IOException {
        if (System.nanoTime() - before.nanoTime() >= step.toNanos()) {
            Compiling now = Compiling.now(others);
            look(now.partSince(before));
            before = now;
        }
        return lasted().compareTo(calm >= CALM_STEPS ? least : max) >= 0;
    }

    private void look(double compiling) {
        calm = compiling > COMPILING_WHEN_WARM ? 0 : calm + 1;
        long now = System.nanoTime();
        if (now - toldNanos >= TOLD_EVERY.toNanos()) {
            toldNanos = now;
            progress.accept(String.format(
                    Locale.ROOT,
                    "warming up: %.0f s of at most %.0f s, the compilers take %.0f%% of the processor time",
                    (now - begunNanos) / 1e9,
                    max.toMillis() / 1e3,
                    100 * compiling));
        }
    }

    Duration lasted() {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }
}
