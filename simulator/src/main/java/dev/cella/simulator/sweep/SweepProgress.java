package dev.cella.simulator.sweep;

import dev.cella.simulator.engine.RunProgress;
import java.util.function.Consumer;

/** The progress of a sweep, and its end if the rest is as fast. The threads of all its runs report to it. */
final class SweepProgress {
    private final int runs;
    private final long beganNanos;
    private final Consumer<Estimate> listener;
    private double runsDone;

    SweepProgress(int runs, long beganNanos, Consumer<Estimate> listener) {
        this.runs = runs;
        this.beganNanos = beganNanos;
        this.listener = listener;
    }

    RunProgress ofOneRun() {
        return new RunProgress() {
            private double reached;

            @Override
            public void reached(double fraction) {
                advance(fraction - reached);
                reached = fraction;
            }
        };
    }

    private synchronized void advance(double partOfARun) {
        runsDone += partOfARun;
        double fraction = runsDone / runs;
        double passedNanos = System.nanoTime() - beganNanos;
        listener.accept(new Estimate(fraction, passedNanos * (1 - fraction) / fraction / 1e9));
    }
}
