package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * One load on one cell for a while: first a warm-up, then the measurement. The figures include the compilers' time during the
 * measurement.
 */
final class Phase {
    private static final int MILLIS_DIGITS = 3;

    private final BenchedCell cell;
    private final int machines;
    private final Duration warmLeast;
    private final Histogram latency = new ConcurrentHistogram(MILLIS_DIGITS);
    private volatile boolean measuring;
    private long accepted;
    private long refused;
    private long transactions;

    Phase(BenchedCell cell, int machines) {
        this(cell, machines, Duration.ZERO);
    }

    /**
     * Makes one.
     *
     * @param warmLeast the cell does not count as warm before it
     */
    Phase(BenchedCell cell, int machines, Duration warmLeast) {
        this.cell = cell;
        this.machines = machines;
        this.warmLeast = warmLeast;
    }

    /** Runs the load on a cell that had no such load before. */
    LoadResults run(
            String name, OfferedLoad load, Duration warm, Duration measured, Consumer<PlacingScheduler.Answered> heard)
            throws IOException, InterruptedException {
        return run(name, load, warm, WarmUp.MAX, measured, heard);
    }

    /**
     * Runs the load; {@code heard} gets every measured answer, on the thread of its scheduler.
     *
     * @param warm a step of the warm-up
     * @param warmMax the longest warm-up: a short one if the cell has had this load before
     */
    LoadResults run(
            String name,
            OfferedLoad load,
            Duration warm,
            Duration warmMax,
            Duration measured,
            Consumer<PlacingScheduler.Answered> heard)
            throws IOException, InterruptedException {
        List<PlacingScheduler> schedulers = new ArrayList<>();
        try {
            for (int scheduler = 0; scheduler < load.schedulers(); scheduler++) {
                schedulers.add(new PlacingScheduler(cell, load, name + "-" + scheduler, machines, answered -> {
                    if (measuring) {
                        count(answered);
                        heard.accept(answered);
                    }
                }));
            }
            cell.say("%s: begins", name);
            schedulers.forEach(PlacingScheduler::start);
            Duration warmed =
                    WarmUp.await(cell, pause -> TimeUnit.NANOSECONDS.sleep(pause.toNanos()), warmLeast, warm, warmMax);
            return measure(schedulers, warmed, measured);
        } finally {
            schedulers.forEach(PlacingScheduler::close);
        }
    }

    private LoadResults measure(List<PlacingScheduler> schedulers, Duration warm, Duration measured)
            throws IOException, InterruptedException {
        Compiling compilingBefore = Compiling.now(cell.others());
        PartProcess leader = cell.leading();
        Used before = Used.now(cell, leader);
        long begin = System.nanoTime();
        cell.say("measuring for %d s", measured.toSeconds());
        measuring = true;
        TimeUnit.NANOSECONDS.sleep(measured.toNanos());
        measuring = false;
        double seconds = (System.nanoTime() - begin) / 1e9;
        Used after = Used.now(cell, leader);
        double compiling = Compiling.now(cell.others()).since(compilingBefore);
        for (PlacingScheduler scheduler : schedulers) {
            scheduler.finish();
        }
        return figures(seconds, warm, before, after, compiling);
    }

    private synchronized void count(PlacingScheduler.Answered answered) {
        transactions++;
        if (answered.claims() > 0) {
            latency.recordValue(System.nanoTime() - answered.begunNanos());
        }
        for (int claim = 0; claim < answered.claims(); claim++) {
            if (answered.outcome().results().get(claim).accepted()) {
                accepted++;
            } else {
                refused++;
            }
        }
    }

    private synchronized LoadResults figures(double seconds, Duration warm, Used before, Used after, double compiling) {
        return new LoadResults(
                accepted / seconds,
                transactions / seconds,
                latency.getValueAtPercentile(50) / 1e6,
                latency.getValueAtPercentile(99) / 1e6,
                perClaim(after.servers().minus(before.servers())),
                perClaim(after.leader().minus(before.leader())),
                perClaim(after.client().minus(before.client())),
                compiling,
                warm.toNanos() / 1e9,
                refused);
    }

    private double perClaim(Duration cpu) {
        return accepted == 0 ? 0 : cpu.toNanos() / 1e3 / accepted;
    }
}
