package dev.cella.bench.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One load on one cell for a while: first so that everything is warm, then measured. */
final class Phase {
    private static final int MILLIS_DIGITS = 3;

    private final BenchedCell cell;
    private final int machines;
    private final Histogram latency = new ConcurrentHistogram(MILLIS_DIGITS);
    private volatile boolean measuring;
    private long accepted;
    private long refused;
    private long transactions;

    Phase(BenchedCell cell, int machines) {
        this.cell = cell;
        this.machines = machines;
    }

    /** Runs the load; {@code heard} hears of every answer too, on the thread of its scheduler. */
    Figures run(String name, Load load, Duration warm, Duration measured, Consumer<PlacingScheduler.Answered> heard)
            throws InterruptedException {
        List<PlacingScheduler> schedulers = new ArrayList<>();
        try {
            for (int scheduler = 0; scheduler < load.schedulers(); scheduler++) {
                schedulers.add(new PlacingScheduler(cell, load, name + "-" + scheduler, machines, answered -> {
                    count(answered);
                    heard.accept(answered);
                }));
            }
            schedulers.forEach(PlacingScheduler::start);
            TimeUnit.NANOSECONDS.sleep(warm.toNanos());
            return measure(schedulers, measured);
        } finally {
            schedulers.forEach(PlacingScheduler::close);
        }
    }

    private Figures measure(List<PlacingScheduler> schedulers, Duration measured) throws InterruptedException {
        long begin = System.nanoTime();
        Duration serverBefore = cell.cpu();
        Duration clientBefore = ownCpu();
        measuring = true;
        TimeUnit.NANOSECONDS.sleep(measured.toNanos());
        measuring = false;
        double seconds = (System.nanoTime() - begin) / 1e9;
        Duration server = cell.cpu().minus(serverBefore);
        Duration client = ownCpu().minus(clientBefore);
        for (PlacingScheduler scheduler : schedulers) {
            scheduler.finish();
        }
        return figures(seconds, server, client);
    }

    private static Duration ownCpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private synchronized void count(PlacingScheduler.Answered answered) {
        if (!measuring) {
            return;
        }
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

    private synchronized Figures figures(double seconds, Duration server, Duration client) {
        return new Figures(
                accepted / seconds,
                transactions / seconds,
                latency.getValueAtPercentile(50) / 1e6,
                latency.getValueAtPercentile(99) / 1e6,
                perClaim(server),
                perClaim(client),
                refused);
    }

    private double perClaim(Duration cpu) {
        return accepted == 0 ? 0 : cpu.toNanos() / 1e3 / accepted;
    }
}
