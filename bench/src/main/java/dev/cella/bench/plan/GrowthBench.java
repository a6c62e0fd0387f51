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
 * How the cost of each part grows with the cell, in process and on this thread, in CPU time. The best round counts; the first
 * rounds warm up.
 */
public final class GrowthBench {
    private static final int ENTRIES = 20;
    private static final int TRANSACTIONS = 20;
    private static final int CLAIMS = 10;
    private static final int PLANS = 200;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;

    private final int rounds;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long unused;

    public GrowthBench(int rounds) {
        if (rounds < 1) {
            throw new IllegalArgumentException("there is at least one round");
        }
        this.rounds = rounds;
    }

    /** Measures a cell with that many machines, on which that many tasks run. */
    public GrowthFigures measure(int machines, int tasks) {
        Map<Part, Double> micros = new EnumMap<>(Part.class);
        GrownCell cell = new GrownCell(machines, tasks);
        double commit = Double.MAX_VALUE;
        double feed = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            List<Entry> entries = new ArrayList<>();
            for (int entry = 0; entry < ENTRIES; entry++) {
                entries.add(cell.entry(TRANSACTIONS, CLAIMS));
            }
            // The submission of a job stands between entries, so the copy begins again.
            CellReplica copy = cell.privateCopy();
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
        micros.put(
                Part.EXPLAIN,
                new ExplainBench(2 * rounds + 1)
                                .measure(machines, Math.max(1, tasks / machines))
                                .medianSeconds()
                        * MICROS_PER_SECOND);
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
