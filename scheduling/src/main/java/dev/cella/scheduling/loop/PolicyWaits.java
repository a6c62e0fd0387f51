package dev.cella.scheduling.loop;

import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Rights;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs that a quota or a right may keep back, by pool: those that are being planned, and those that sleep until one of the
 * two changes. No row shows that a pool's use fell, so the loop checks after each event.
 *
 * <p>A job joins when its plan begins, so a quota that is lifted during the plan is not missed. Everything in flight counts as
 * used: a refused claim leaves room in the quota, although no pool of the view has changed.
 *
 * <p>Owned by {@link SchedulerLoop}.
 */
final class PolicyWaits {
    /** The policies and the headroom that they leave, as this loop sees them. */
    private record Leeway(Rights rights, List<Limits> limits, List<Long> quota) {
        /**
         * Returns whether a job for which {@code before} was too little may now have a chance, or another reason to wait: a lower
         * limit.
         */
        boolean isOtherThan(Leeway before) {
            if (!rights.equals(before.rights) || !limits.equals(before.limits)) {
                return true;
            }
            for (int place = 0; place < quota.size(); place++) {
                if (quota.get(place) > before.quota.get(place)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The jobs of one pool, and the headroom when all of them had been refused. */
    private static final class OfPool {
        final Set<OpenJob> jobs = new LinkedHashSet<>();
        Leeway seen;

        OfPool(Leeway seen) {
            this.seen = seen;
        }
    }

    private final WorkingView working;
    private final String scheduler;
    private final Map<String, OfPool> pools = new HashMap<>();
    private final Map<OpenJob, String> poolOf = new HashMap<>();
    private Rights rights;

    PolicyWaits(WorkingView working, String scheduler) {
        this.working = working;
        this.scheduler = scheduler;
        this.rights = rights();
    }

    private Rights rights() {
        return working.view().rights(scheduler);
    }

    /** Returns whether the scheduler's rights have changed since the last call. */
    boolean rightsMoved() {
        Rights before = rights;
        rights = rights();
        return !rights.equals(before);
    }

    /** The job is being planned, or waits for a policy. */
    void add(OpenJob job) {
        remove(job);
        pools.computeIfAbsent(job.pool(), pool -> new OfPool(leeway(pool))).jobs.add(job);
        poolOf.put(job, job.pool());
    }

    void remove(OpenJob job) {
        String pool = poolOf.remove(job);
        OfPool waiting = pool == null ? null : pools.get(pool);
        if (waiting != null && waiting.jobs.remove(job) && waiting.jobs.isEmpty()) {
            pools.remove(pool);
        }
    }

    /** The jobs whose policies have changed since the last call. */
    List<OpenJob> moved() {
        List<OpenJob> moved = new ArrayList<>();
        pools.forEach((pool, waiting) -> {
            Leeway now = leeway(pool);
            if (now.isOtherThan(waiting.seen)) {
                moved.addAll(waiting.jobs);
            }
            waiting.seen = now;
        });
        return moved;
    }

    private Leeway leeway(String pool) {
        return new Leeway(rights(), working.limits(pool), working.quotaLeft(pool));
    }
}
