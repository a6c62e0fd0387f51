package dev.cella.scheduler.batch.fair;

import dev.cella.scheduler.batch.fair.FairMemory.Claim;
import dev.cella.scheduler.batch.fair.FairMemory.Due;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Rights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ends tasks of pools above their share for pools that have waited too long. A pool below its minimum for {@code
 * minimumTimeout} gets as many ended as it lacks of the minimum; a pool below half of its share for {@code fairTimeout} as
 * many as it lacks of the share (paper, section 4: "HFS uses two task killing timeouts"), but never more than its waiting
 * tasks could take.
 *
 * <p>The newest tasks end first, because that loses the least work. No pool falls below its own share. After its time-out was
 * used, a pool waits for it again, because ending tasks need their grace time until they are free. Belongs to one plan.
 */
final class KillingTimeouts {
    /** A task that may be ended, and the pool that holds it. */
    private record Victim(TaskRow task, PoolNode pool) {}

    /** Tasks of one group that its pool may still place. */
    private record Taking(PoolNode pool, Amounts shape, long tasks) {}

    private final PlanningView cell;
    private final PoolTree tree;
    private final String scheduler;
    private final CellTime now;
    private final Map<Due, CellTime> lacking;
    private Optional<CellTime> next = Optional.empty();

    /**
     * @param lacking since when pools lack their due, from the previous plan; updated here
     */
    KillingTimeouts(PlanningView cell, PoolTree tree, String scheduler, CellTime now, Map<Due, CellTime> lacking) {
        this.cell = cell;
        this.tree = tree;
        this.scheduler = scheduler;
        this.now = now;
        this.lacking = lacking;
    }

    /**
     * Checks the pool's use after this plan. Tasks end on behalf of the job.
     *
     * @param waits since when a job of the pool waits: before, the pool asked for nothing. No plan may have seen that
     */
    void look(PoolNode pool, JobId asking, CellTime waits) {
        look(pool, asking, waits, Claim.MINIMUM, pool.policy.minimumTimeoutMillis());
        look(pool, asking, waits, Claim.HALF_OF_SHARE, pool.policy.fairTimeoutMillis());
    }

    private void look(PoolNode pool, JobId asking, CellTime waits, Claim claim, long timeoutMillis) {
        Due due = new Due(cell.place(), pool.path, claim);
        long[] missing = missing(pool, claim);
        if (timeoutMillis == 0 || !mayEndTasks() || isNothing(missing)) {
            lacking.remove(due);
            return;
        }
        CellTime lacked = lacking.getOrDefault(due, now);
        CellTime since = lacked.compareTo(waits) < 0 ? waits : lacked;
        if (since.plusMillis(timeoutMillis).compareTo(now) <= 0) {
            end(asking, takeable(pool, missing));
            since = now;
        }
        lacking.put(due, since);
        CellTime at = since.plusMillis(timeoutMillis);
        next = Optional.of(next.filter(other -> other.compareTo(at) <= 0).orElse(at));
    }

    /** They are tasks of this scheduler's own jobs, which it may end unless its rights say that it ends none. */
    private boolean mayEndTasks() {
        return cell.rights().evicts() != Rights.Evicts.NOTHING;
    }

    /** What the pool lacks of its due, by dimension; nothing while it has as much as the time-out requires. */
    private static long[] missing(PoolNode pool, Claim claim) {
        long[] missing = new long[pool.use.length];
        boolean lacks = false;
        for (int dimension = 0; dimension < missing.length; dimension++) {
            long due = claim == Claim.MINIMUM ? pool.minimum(dimension) : pool.share[dimension];
            long atLeast = claim == Claim.MINIMUM ? due : due / 2;
            lacks |= pool.use[dimension] < atLeast;
            missing[dimension] = Math.max(0, due - pool.use[dimension]);
        }
        return lacks ? missing : new long[missing.length];
    }

    private static boolean isNothing(long[] amounts) {
        for (long amount : amounts) {
            if (amount > 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * The missing amounts that waiting jobs of the pool, and of those below it, could take now. Room for tasks that something
     * else keeps back, or that no machine can hold, would go back to the pools that lost it.
     */
    private long[] takeable(PoolNode pool, long[] missing) {
        List<Taking> takings = new ArrayList<>();
        for (JobRow job : cell.view().pendingJobs(scheduler)) {
            if (pool.covers(job.header().pool())) {
                cell.pendingGroups(job.id())
                        .forEach(group -> addTaking(tree.pool(job.header().pool()), group, takings));
            }
        }
        long[] takeable = new long[missing.length];
        for (Taking taking : takings) {
            PoolNode.add(takeable, taking.shape(), taking.tasks());
            taking.pool().uses(taking.shape(), -taking.tasks());
        }
        Arrays.setAll(takeable, dimension -> Math.min(missing[dimension], takeable[dimension]));
        return takeable;
    }

    /** Counts the tasks that the limits leave as used, so that the next group gets only the rest of them. */
    private void addTaking(PoolNode pool, PendingGroup group, List<Taking> takings) {
        long tasks = pool.leaves(group.shape(), group.ahead(group.left()).length);
        if (tasks > 0 && cell.slots().anyMatch(group::mayWaitOn)) {
            pool.uses(group.shape(), tasks);
            takings.add(new Taking(pool, group.shape(), tasks));
        }
    }

    private void end(JobId asking, long[] missing) {
        for (Victim victim : newestFirst()) {
            if (isNothing(missing)) {
                return;
            }
            if (helps(victim, missing) && staysAtItsShare(victim, missing)) {
                cell.evict(asking, victim.task());
                victim.pool().uses(victim.task().resources(), -1);
                for (int dimension = 0; dimension < missing.length; dimension++) {
                    missing[dimension] -= victim.task().resources().at(dimension);
                }
            }
        }
    }

    private List<Victim> newestFirst() {
        List<Victim> victims = new ArrayList<>();
        cell.view()
                .jobsOnMachines()
                .filter(job -> job.header().scheduler().equals(scheduler))
                .forEach(job -> {
                    PoolNode pool = tree.pool(job.header().pool());
                    cell.tasksOf(job.id()).stream()
                            .filter(task -> task.machine().isPresent()
                                    && cell.isWithin(task.machine().getAsInt()))
                            .forEach(task -> victims.add(new Victim(task, pool)));
                });
        victims.sort(Comparator.comparingLong((Victim victim) -> -placedAt(victim.task()))
                .thenComparing(victim -> victim.task().text()));
        return victims;
    }

    private static long placedAt(TaskRow task) {
        return task.placement().map(placement -> placement.version()).orElse(0L);
    }

    private static boolean helps(Victim victim, long[] missing) {
        for (int dimension = 0; dimension < missing.length; dimension++) {
            if (missing[dimension] > 0 && victim.task().resources().at(dimension) > 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean staysAtItsShare(Victim victim, long[] missing) {
        PoolNode pool = victim.pool();
        for (int dimension = 0; dimension < missing.length; dimension++) {
            long left = pool.use[dimension] - victim.task().resources().at(dimension);
            if (missing[dimension] > 0 && left < pool.share[dimension]) {
                return false;
            }
        }
        return true;
    }

    /** When the next time-out is over. */
    Optional<CellTime> next() {
        return next;
    }
}
