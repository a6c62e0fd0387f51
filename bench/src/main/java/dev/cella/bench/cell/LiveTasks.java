package dev.cella.bench.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Fills a cell with tasks that stay placed. */
final class LiveTasks {
    private static final int SCHEDULERS = 2;
    private static final int CLAIMS = 200;
    private static final int WINDOW = 16;

    private LiveTasks() {}

    /** Places that many tasks at full speed, rounded up to whole transactions. Returns how many. */
    static long place(BenchedCell cell, int machines, long tasks) throws InterruptedException {
        AtomicLong placed = new AtomicLong();
        List<PlacingScheduler> schedulers = new ArrayList<>();
        OfferedLoad load = OfferedLoad.filling(SCHEDULERS, CLAIMS, WINDOW, tasks);
        for (int scheduler = 0; scheduler < SCHEDULERS; scheduler++) {
            schedulers.add(new PlacingScheduler(
                    cell, load, "fill-" + scheduler, machines, answered -> placed.addAndGet(answered.claims())));
        }
        schedulers.forEach(PlacingScheduler::start);
        while (placed.get() < tasks) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        for (PlacingScheduler scheduler : schedulers) {
            scheduler.finish();
            scheduler.close();
        }
        return placed.get();
    }
}
