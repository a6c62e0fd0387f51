package dev.cella.chaos.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One scenario: a cell, a load, the faults, and how long the two phases last. The safety phase has the faults; in the
 * liveness phase the core is healed, every other fault stays, and what can be placed must be placed.
 *
 * @param agents how many processes speak for the machines, each for as many as any other
 * @param swarm how many more faults are drawn from the seed
 * @param pools the weights of pools that the jobs are in; if empty, the pools have no weights
 * @param laneKib how much may wait in each lane of a simulated replica
 * @param level the feature level that a simulated cell is raised to at its beginning
 * @param checkers the numbers of the checkers that judge the run; all of them if empty
 */
public record Scenario(
        String name,
        String about,
        int replicas,
        int machines,
        int agents,
        List<SchedulerSpec> schedulers,
        Load load,
        Map<String, Integer> pools,
        long safetyMillis,
        long livenessMillis,
        List<PlannedFault> faults,
        int swarm,
        int laneKib,
        int level,
        List<String> checkers) {
    /** Longer than the leases of a simulated cell. */
    private static final long LEASES_MILLIS = 6_000;

    public Scenario {
        checkers = List.copyOf(checkers);
        pools = Collections.unmodifiableMap(new TreeMap<>(pools));
        schedulers = List.copyOf(schedulers);
        faults = List.copyOf(faults);
        if (replicas < 1 || agents < 1 || machines < agents || schedulers.isEmpty()) {
            throw new IllegalArgumentException("a scenario has replicas, agents with machines, and schedulers");
        }
    }

    public Scenario withFaults(List<PlannedFault> others) {
        return with(schedulers, load, safetyMillis, others, 0);
    }

    public Scenario withSchedulers(List<SchedulerSpec> others) {
        return with(others, load, safetyMillis, faults, swarm);
    }

    public Scenario withLoad(Load other) {
        return with(schedulers, other, safetyMillis, faults, swarm);
    }

    public Scenario withSafetyMillis(long millis) {
        return with(schedulers, load, millis, faults, swarm);
    }

    private Scenario with(List<SchedulerSpec> chosen, Load asked, long safety, List<PlannedFault> planned, int drawn) {
        return new Scenario(
                name,
                about,
                replicas,
                machines,
                agents,
                chosen,
                asked,
                pools,
                safety,
                livenessMillis,
                planned,
                drawn,
                laneKib,
                level,
                checkers);
    }

    /** Returns whether the checker of that number judges the run. */
    public boolean asks(String checker) {
        return checkers.isEmpty() || checkers.contains(checker);
    }

    /** The faults of one seed: the planned ones, and as many as the swarm draws from what the world can do. */
    public List<PlannedFault> faultsOf(long seed, World world) {
        List<PlannedFault> all = new ArrayList<>(faults);
        SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        List<FaultKind> kinds = new ArrayList<>(List.of(FaultKind.values()));
        kinds.removeIf(kind -> !kind.isIn(world) || !kind.isDrawn());
        for (int drawn = 0; drawn < swarm; drawn++) {
            FaultKind kind = kinds.get(random.nextInt(kinds.size()));
            long from = random.nextLong(Math.max(1, safetyMillis - 2_000));
            long lasts = 500 + random.nextLong(Math.max(1, safetyMillis / 4));
            all.add(new PlannedFault(kind, "any", from, kind.outlastsLeases() ? LEASES_MILLIS + lasts : lasts));
        }
        return all;
    }
}
