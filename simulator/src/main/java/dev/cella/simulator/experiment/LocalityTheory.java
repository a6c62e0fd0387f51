package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.InputSetUp;
import dev.cella.simulator.engine.RunParameters;

/**
 * Which part of a job's tasks runs on a machine with its block, in closed form, for a cell that is full: M machines with L
 * slots each, R replicas of a block, tasks of T seconds on average, so that S = ML slots become free S/T times a second
 * ("Delay Scheduling", EuroSys 2010, sections 3.3 to 3.5).
 */
final class LocalityTheory {
    private static final double MILLIS = 1_000;

    private LocalityTheory() {}

    /** Sticky slots: a job with the share f of the slots has at most 1 - (1 - f)^(RL) (3.3.2). */
    static double stickySlots(double share, int replicas, double slotsPerMachine) {
        return 1 - Math.pow(1 - share, replicas * slotsPerMachine);
    }

    /** A job that is kept to a part of the machines: some replica is in it with 1 - (1 - part)^R. */
    static double partition(double part, int replicas) {
        return 1 - Math.pow(1 - part, replicas);
    }

    /** The paper's bound for a job of N tasks that lets D slots go by: at least 1 - e^(-RD/M) / (N (1 - e^(-RD/M))) (3.5). */
    static double atLeast(double skipped, int tasks, int replicas, int machines) {
        double missed = Math.exp(-replicas * skipped / machines);
        return 1 - missed / (tasks * (1 - missed));
    }

    /** How many slots a job lets go by while it waits for W1. */
    static double skipped(RunParameters run) {
        return slotsPerSecond(run) * run.input().waitMachineMillis() / MILLIS;
    }

    private static double slotsPerSecond(RunParameters run) {
        return run.geometry().slots() / run.batch().means().taskSeconds();
    }

    /**
     * Algorithm 3 for a job of N tasks that is always furthest below its share, in a cell without racks. With K tasks
     * left, a slot that becomes free is on a machine with one of their blocks with the chance p = 1 - (1 - R/M)^K. The first
     * slot that is not begins the wait. So a job at level 0 finds one with q = 1 - (1-p) e^(-p W1 S/T); else it takes
     * whatever is next, and stays at the last level until a slot is on such a machine by chance. Without a wait q is 0.
     *
     * <p>With a(K) tasks expected to be local of K left at level 0, and b(K) at the last level: b(K) = p (1 + a(K-1)) + (1-p)
     * b(K-1), and a(K) = q (1 + a(K-1)) + (1-q) b(K). Both waits count, as they do where there are no racks.
     */
    static double waiting(RunParameters run) {
        InputSetUp input = run.input();
        double seconds = (input.waitMachineMillis() + input.waitRackMillis()) / MILLIS;
        double slots = slotsPerSecond(run) * seconds;
        double near = 0;
        double last = 0;
        int tasks = (int) Math.round(run.batch().means().tasksPerJob());
        for (int left = 1; left <= tasks; left++) {
            double p =
                    1 - Math.pow(1 - (double) input.replicas() / run.geometry().machines(), left);
            double q = slots == 0 ? 0 : 1 - (1 - p) * Math.exp(-p * slots);
            double nextLast = p * (1 + near) + (1 - p) * last;
            near = q * (1 + near) + (1 - q) * nextLast;
            last = nextLast;
        }
        return near / tasks;
    }

    /** How many slots a machine has. */
    static double slotsPerMachine(Geometry geometry) {
        return (double) geometry.slots() / geometry.machines();
    }
}
