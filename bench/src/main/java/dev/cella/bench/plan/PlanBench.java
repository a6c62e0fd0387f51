package dev.cella.bench.plan;

import dev.cella.bench.plan.WaitingJob.Asks;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * The cost of a placement by the size of the cell, on this thread, in CPU time, because other load on the machine hardly
 * changes it. A new round begins when the previous one has run long enough, and the best one counts; the first rounds warm up.
 */
public final class PlanBench {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int ATTEMPTS_A_LOOK = 20;

    private final int rounds;
    private final long roundNanos;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long unused;

    public PlanBench(int rounds, Duration round) {
        if (rounds < 1 || round.isZero() || round.isNegative()) {
            throw new IllegalArgumentException("there is at least one round, of some time");
        }
        this.rounds = rounds;
        this.roundNanos = round.toNanos();
    }

    /** Measures on a cell with the given number of machines. */
    public PlanFigures measure(int machines) {
        WaitingJob room = new WaitingJob(machines, Asks.NOTHING, 0);
        WaitingJob constrained = new WaitingJob(machines, Asks.CONSTRAINTS_AND_SPREAD, 0);
        WaitingJob relabelled = new WaitingJob(machines, Asks.CONSTRAINTS_AND_SPREAD, 1);
        BareFirstFit bare = new BareFirstFit(machines);
        return new PlanFigures(
                machines,
                best(() -> unused += room.plan().size()),
                best(() -> unused += constrained.plan().size()),
                best(() -> unused += relabelled.plan().size()),
                best(() -> unused += bare.plan()));
    }

    private double best(Runnable attempt) {
        double best = 0;
        for (int round = 0; round < rounds; round++) {
            best = Math.max(best, placementsPerSecond(attempt));
        }
        return best;
    }

    private double placementsPerSecond(Runnable attempt) {
        long began = threads.getCurrentThreadCpuTime();
        long nanos = 0;
        long attempts = 0;
        while (nanos < roundNanos) {
            for (int each = 0; each < ATTEMPTS_A_LOOK; each++) {
                attempt.run();
            }
            attempts += ATTEMPTS_A_LOOK;
            nanos = threads.getCurrentThreadCpuTime() - began;
        }
        return attempts * WaitingJob.TASKS * NANOS_PER_SECOND / nanos;
    }
}
