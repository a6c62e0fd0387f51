package dev.cella.transactions.model;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What an operator lets a scheduler do beyond placing tasks of its own jobs: the highest priority and the pools of the jobs it
 * places (no pools: all), whether it may hold machines, which tasks it may evict, which machines it may use (no rules: all),
 * whether it may offer machines to other schedulers, and up to how much of a machine's capacity, in percent, it may fill with
 * spare tasks.
 */
public record Rights(
        int priorityMax,
        List<String> pools,
        boolean holds,
        Evicts evicts,
        List<MachineRule> machines,
        boolean offers,
        int sparePercentMax) {
    /** The rights of a scheduler without rights set by an operator. */
    public static final Rights UNSET = new Rights(JobHeader.PRIORITY_MAX, List.of(), true, Evicts.LOWER);

    /** All of a machine that its other work leaves. */
    public static final int SPARE_UNLIMITED = 100;

    private static final int POOLS_MAX = 1_000;
    private static final int RULES_MAX = 32;

    /** The tasks that a scheduler may evict. */
    public enum Evicts {
        NOTHING,
        /** Only tasks of its own jobs. */
        OWN,
        /** For a claim: tasks of strictly lower priority. Without a claim: its own tasks. */
        LOWER,
        ANY
    }

    public Rights {
        pools = List.copyOf(pools);
        machines = List.copyOf(machines);
        if (machines.size() > RULES_MAX) {
            throw new IllegalArgumentException("rights have at most " + RULES_MAX + " rules of machines");
        }
        if (sparePercentMax < 0 || sparePercentMax > SPARE_UNLIMITED) {
            throw new IllegalArgumentException("spare tasks may fill 0 to 100 percent, not " + sparePercentMax);
        }
        pools.forEach(Labels::checkPool);
        if (priorityMax < 0 || priorityMax > JobHeader.PRIORITY_MAX || pools.size() > POOLS_MAX) {
            throw new IllegalArgumentException(
                    "rights up to priority " + priorityMax + " in " + pools.size() + " pools");
        }
    }

    /** Rights without a bound of spare tasks, as they were before spare tasks existed. */
    public Rights(
            int priorityMax,
            List<String> pools,
            boolean holds,
            Evicts evicts,
            List<MachineRule> machines,
            boolean offers) {
        this(priorityMax, pools, holds, evicts, machines, offers, SPARE_UNLIMITED);
    }

    /** Rights on all machines, as they were before rules for machines existed. */
    public Rights(int priorityMax, List<String> pools, boolean holds, Evicts evicts) {
        this(priorityMax, pools, holds, evicts, List.of(), true);
    }

    /** Returns whether the short constructor could have made them. */
    public boolean isPlain() {
        return machines.isEmpty() && offers && !isOfLevel7();
    }

    /** Returns whether replicas know all of it only from feature level 7 on. */
    public boolean isOfLevel7() {
        return sparePercentMax != SPARE_UNLIMITED;
    }

    /** Returns whether it may use a machine whose attributes have these values; empty for an attribute that it lacks. */
    public boolean mayUse(Function<String, Optional<String>> attributes) {
        for (MachineRule rule : machines) {
            if (!rule.accepts(attributes.apply(rule.attribute()).orElse(null))) {
                return false;
            }
        }
        return true;
    }

    public long digest() {
        if (equals(UNSET)) {
            return 0;
        }
        long digest = Digests.mix(priorityMax, Digests.of(evicts.name()));
        for (String pool : pools) {
            digest = Digests.mix(digest, Digests.of(pool));
        }
        digest = Digests.mix(digest, holds ? 1 : 0);
        return isPlain() ? digest : digestOfMachines(digest);
    }

    private long digestOfMachines(long seed) {
        long digest = Digests.mix(seed, offers ? 1 : 2);
        for (MachineRule rule : machines) {
            digest = Digests.mix(digest, rule.digest());
        }
        return isOfLevel7() ? Digests.mix(digest, sparePercentMax) : digest;
    }

    /**
     * Returns whether it may place tasks of a job of that priority in that pool: the pool, or one above it, must be allowed.
     */
    public boolean mayPlace(int priority, String pool) {
        return priority <= priorityMax
                && (pools.isEmpty() || pools.stream().anyMatch(root -> Labels.isPoolWithin(pool, root)));
    }
}
