package dev.cella.bench.plan;

import dev.cella.transactions.codec.Entry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The cost of claims that evict, by their number: of the plan, and of the commit. It is CPU time of this thread, and the best
 * attempt counts; the first ones warm up.
 */
public final class EvictionsBench {
    static final int MACHINES = 2_500;
    static final int TASKS_A_MACHINE = 4;
    private static final int PLANNED = 100;
    private static final int COMMITTED = 1_000;
    private static final int TIMES = 10;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int attempts;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long unused;

    public EvictionsBench(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("there is at least one attempt");
        }
        this.attempts = attempts;
    }

    /** Plans that evict 100 and 1,000 tasks, and commits that evict 1,000 and 10,000, of a cell with 10,000. */
    public List<EvictionFigures> measure() {
        FullCell few = new FullCell(MACHINES, TASKS_A_MACHINE, PLANNED);
        FullCell many = new FullCell(MACHINES, TASKS_A_MACHINE, PLANNED * TIMES);
        return List.of(
                compare("plan", PLANNED, () -> plan(few), () -> plan(many)),
                compare("commit", COMMITTED, () -> commit(COMMITTED), () -> commit(COMMITTED * TIMES)));
    }

    /** Both in turns, so that neither finds the code warmer than the other. */
    private EvictionFigures compare(String step, int evictions, DoubleSupplier fewer, DoubleSupplier more) {
        double bestOfFewer = Double.MAX_VALUE;
        double bestOfMore = Double.MAX_VALUE;
        for (int attempt = 0; attempt < attempts; attempt++) {
            bestOfFewer = Math.min(bestOfFewer, fewer.getAsDouble());
            bestOfMore = Math.min(bestOfMore, more.getAsDouble());
        }
        return new EvictionFigures(step, evictions, bestOfFewer, bestOfMore);
    }

    private double plan(FullCell job) {
        return cpuSeconds(() -> unused += job.plan().size());
    }

    /** Each attempt has a fresh cell, which is planned outside the measurement. */
    private double commit(int evictions) {
        FullCell job = new FullCell(MACHINES, TASKS_A_MACHINE, evictions);
        double seconds = 0;
        while (job.waiting() > 0) {
            Entry entry = job.entry(job.plan());
            seconds += cpuSeconds(() -> unused += job.commit(entry));
        }
        return seconds;
    }

    private double cpuSeconds(Runnable work) {
        long began = threads.getCurrentThreadCpuTime();
        work.run();
        return (threads.getCurrentThreadCpuTime() - began) / NANOS_PER_SECOND;
    }
}
