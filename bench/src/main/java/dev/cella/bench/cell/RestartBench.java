package dev.cella.bench.cell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a server is away that is killed with many live tasks: from the start of the new process, its JVM included,
 * until it leads again with every one of them.
 */
public final class RestartBench {
    private static final int SCHEDULERS = 2;
    private static final int CLAIMS = 200;
    private static final int WINDOW = 16;

    private RestartBench() {}

    /**
     * What came out.
     *
     * @param seconds of each restart
     */
    public record Report(Conditions conditions, long tasks, int machines, List<Double> seconds) {}

    /**
     * Founds a cell, fills it, kills it.
     *
     * @param mainClass of the command {@code cella}, which is started as the server
     */
    public static Report run(String mainClass, int machines, long tasks, int times)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(Servers.one(mainClass))) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            long placed = place(cell, machines, tasks);
            List<Double> seconds = new ArrayList<>();
            for (int time = 0; time < times; time++) {
                seconds.add(cell.restart().toNanos() / 1e9);
                checkAllThere(cell, placed);
            }
            return new Report(conditions, placed, machines, seconds);
        }
    }

    private static long place(BenchedCell cell, int machines, long tasks) throws InterruptedException {
        AtomicLong placed = new AtomicLong();
        List<PlacingScheduler> schedulers = new ArrayList<>();
        Load load = Load.closed(SCHEDULERS, CLAIMS, WINDOW).withoutReleases();
        for (int scheduler = 0; scheduler < SCHEDULERS; scheduler++) {
            schedulers.add(new PlacingScheduler(
                    cell, load, "fill-" + scheduler, machines, answered -> placed.addAndGet(answered.claims())));
        }
        schedulers.forEach(PlacingScheduler::start);
        while (placed.get() < tasks) {
            Thread.sleep(10);
        }
        for (PlacingScheduler scheduler : schedulers) {
            scheduler.finish();
            scheduler.close();
        }
        return placed.get();
    }

    private static void checkAllThere(BenchedCell cell, long placed) {
        long found = cell.http().getCell().getTasks().getPlaced();
        if (found != placed) {
            throw new IllegalStateException(placed + " tasks were placed, and " + found + " are there again");
        }
    }
}
