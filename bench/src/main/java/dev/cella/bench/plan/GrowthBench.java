package dev.cella.bench.plan;

import dev.cella.bench.plan.GrowthFigures.Part;
import dev.cella.bench.plan.WaitingJob.Asks;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.codec.Entry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How the cost of each part grows with the cell, in process and on this thread, in CPU time. The best round counts.
 *
 * <p>Call {@link #warmUp} before the first measurement: until the JIT has compiled a part, the first cell pays several times
 * the cost, and the larger cells after it seem cheap.
 */
public final class GrowthBench {
    private static final int ENTRIES = 20;
    private static final int TRANSACTIONS = 20;
    private static final int CLAIMS = 10;
    private static final int PLANS = 200;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int WAITING = 100;
    private static final int WARM_UP_MACHINES = 1_000;
    private static final int WARM_UP_TASKS = 20_000;
    private static final int WARM_UPS = 25;

    private final int rounds;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long unused;

    public GrowthBench(int rounds) {
        if (rounds < 1) {
            throw new IllegalArgumentException("there is at least one round");
        }
        this.rounds = rounds;
    }

    /** Measures a small cell until the JIT has compiled every part. */
    public void warmUp() {
        for (int time = 0; time < WARM_UPS; time++) {
            measure(WARM_UP_MACHINES, WARM_UP_TASKS);
        }
    }

    /** Measures a cell with that many machines, on which that many tasks run. */
    public GrowthFigures measure(int machines, int tasks) {
        Map<Part, Double> micros = new EnumMap<>(Part.class);
        GrownCell cell = new GrownCell(machines, tasks);
        // The first round pays for the pages that the cell shares with the snapshot of this copy.
        CellReplica copy = cell.privateCopy();
        double commit = Double.MAX_VALUE;
        double feed = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            List<Entry> entries = new ArrayList<>();
            for (int entry = 0; entry < ENTRIES; entry++) {
                entries.add(cell.entry(TRANSACTIONS, CLAIMS));
            }
            cell.takeSubmissions().forEach(copy::applyChanges);
            List<byte[]> frames = new ArrayList<>();
            commit = Math.min(commit, micros(() -> entries.forEach(entry -> frames.add(cell.commit(entry)))));
            feed = Math.min(feed, micros(() -> frames.forEach(copy::applyChanges)));
        }
        double claims = (double) ENTRIES * TRANSACTIONS * CLAIMS;
        micros.put(Part.COMMIT, commit / claims);
        micros.put(Part.FEED, feed / claims);
        micros.put(Part.LISTS, best(() -> unused += cell.copyForLists()));
        List<byte[]> checkpoint = cell.checkpoint();
        micros.put(
                Part.RESTART,
                best(() ->
                        unused += GrownCell.restart(checkpoint).view().version().number()));
        micros.put(Part.PLAN, planMicros(machines));
        FullCell full = new FullCell(machines, Math.max(1, tasks / machines), WAITING);
        micros.put(Part.EXPLAIN, best(() -> unused += full.explain().helps().size()));
        return new GrowthFigures(machines, tasks, micros);
    }

    private double planMicros(int machines) {
        WaitingJob job = new WaitingJob(machines, Asks.CONSTRAINTS_AND_SPREAD, 0);
        double best = best(() -> {
            for (int plan = 0; plan < PLANS; plan++) {
                unused += job.plan().size();
            }
        });
        return best / PLANS / WaitingJob.TASKS;
    }

    private double best(Runnable part) {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            best = Math.min(best, micros(part));
        }
        return best;
    }

    private double micros(Runnable part) {
        long began = threads.getCurrentThreadCpuTime();
        part.run();
        return (threads.getCurrentThreadCpuTime() - began) / NANOS_PER_MICRO;
    }
}
