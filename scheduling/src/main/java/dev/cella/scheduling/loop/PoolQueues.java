package dev.cella.scheduling.loop;

import dev.cella.transactions.model.Amounts;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The waiting jobs of each pool: its queue, in order, and the amounts that all its waiting jobs ask for. Kept only for an
 * agenda that reads pools. Owned by {@link OpenJobs}.
 */
final class PoolQueues {
    /** A pool of a cell. */
    record Pool(int cell, String path) {}

    /** The waiting jobs of one pool. */
    static final class Waits {
        private final TreeSet<OpenJob> queue = new TreeSet<>();
        private Amounts demand = Amounts.NONE;
        private int jobs;

        SortedSet<OpenJob> queue() {
            return queue;
        }

        Amounts demand() {
            return demand;
        }

        int jobs() {
            return jobs;
        }
    }

    private final TreeMap<Pool, Waits> pools =
            new TreeMap<>(Comparator.comparingInt(Pool::cell).thenComparing(Pool::path));

    SortedMap<Pool, Waits> pools() {
        return pools;
    }

    static Pool poolOf(OpenJob job) {
        return new Pool(job.key().cell(), job.header.pool());
    }

    void add(OpenJob job) {
        pools.computeIfAbsent(poolOf(job), pool -> new Waits()).queue.add(job);
    }

    void remove(OpenJob job) {
        Waits waits = pools.get(poolOf(job));
        if (waits != null) {
            waits.queue.remove(job);
        }
    }

    /** The job is not idle: from now on its pending tasks count as demand of its pool. */
    void demands(OpenJob job) {
        Amounts asks = job.asks();
        Waits waits = pools.computeIfAbsent(poolOf(job), pool -> new Waits());
        waits.jobs += job.counted ? 0 : 1;
        waits.demand = waits.demand.minus(job.demand).plus(asks);
        job.demand = asks;
        job.counted = true;
    }

    /** The job is idle, or about to change its pool. */
    void forget(OpenJob job) {
        Waits waits = pools.get(poolOf(job));
        if (waits != null && job.counted) {
            waits.jobs--;
            waits.demand = waits.demand.minus(job.demand);
            job.demand = Amounts.NONE;
            job.counted = false;
        }
        if (waits != null && waits.jobs == 0 && waits.queue.isEmpty()) {
            pools.remove(poolOf(job));
        }
    }
}
