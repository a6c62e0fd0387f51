package dev.cella.transactions.model;

import java.util.List;

/**
 * What a scheduler may do beside placing tasks of its own jobs, as an operator set it: the highest priority and the pools
 * of the jobs it places (no pool named: all), whether it may hold machines, and whom it may evict.
 */
public record Rights(int priorityMax, List<String> pools, boolean holds, Evicts evicts) {
    /** A scheduler of which nobody said anything. */
    public static final Rights UNSET = new Rights(JobHeader.PRIORITY_MAX, List.of(), true, Evicts.LOWER);

    private static final int POOLS_MAX = 1_000;

    /** Whom a scheduler may evict. */
    public enum Evicts {
        NOTHING,
        /** Tasks of its own jobs. */
        OWN,
        /** For a claim, what has strictly lower priority; without one, its own. */
        LOWER,
        ANY
    }

    public Rights {
        pools = List.copyOf(pools);
        pools.forEach(Labels::checkPool);
        if (priorityMax < 0 || priorityMax > JobHeader.PRIORITY_MAX || pools.size() > POOLS_MAX) {
            throw new IllegalArgumentException(
                    "rights up to priority " + priorityMax + " in " + pools.size() + " pools");
        }
    }

    /** Whether it may place tasks of a job of that priority, in that pool or below one that it may use. */
    public boolean mayPlace(int priority, String pool) {
        return priority <= priorityMax && (pools.isEmpty() || pools.stream().anyMatch(root -> isWithin(pool, root)));
    }

    private static boolean isWithin(String pool, String root) {
        return pool.equals(root) || pool.startsWith(root + "/");
    }
}
