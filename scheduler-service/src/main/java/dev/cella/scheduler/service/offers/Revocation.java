package dev.cella.scheduler.service.offers;

import dev.cella.scheduler.service.offers.OffersMemory.Name;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes amounts back for a role below its guarantee. If a role was below its guarantee for the grace period of its pool,
 * {@code minimumTimeout}, and wants more, it gets the missing amounts from roles above their guarantees: first their offers,
 * then their tasks, newest first, and no more than is missing. Belongs to one round.
 */
final class Revocation {
    private final PlanningView cell;
    private final Frameworks frameworks;
    private final CellTime now;
    private final Map<Name, CellTime> before;

    Revocation(PlanningView cell, Frameworks frameworks, PlanContext<OffersMemory> context) {
        this.cell = cell;
        this.frameworks = frameworks;
        this.now = context.now();
        this.before = context.memory().lacking();
    }

    /** Returns whether the allocator may end tasks of others. */
    static boolean mayEvict(PlanningView cell) {
        return cell.rights().evicts() == Rights.Evicts.ANY;
    }

    /** Takes back everything that is due. Returns the roles below their guarantees, with the times since when. */
    Map<Name, CellTime> revoke() {
        Map<Name, CellTime> lacking = new HashMap<>();
        for (Role role : frameworks.roles()) {
            if (role.isBelowGuarantee() && role.wants()) {
                Name name = new Name(cell.place(), role.name());
                CellTime since = before.getOrDefault(name, now);
                lacking.put(name, since);
                long grace = graceMillis(role);
                if (grace > 0 && now.millis() - since.millis() >= grace) {
                    revokeFor(role);
                }
            }
        }
        return lacking;
    }

    private long graceMillis(Role role) {
        return cell.view()
                .pool(role.name())
                .map(PoolRow::policy)
                .map(policy -> policy.minimumTimeoutMillis())
                .orElse(0L);
    }

    private void revokeFor(Role role) {
        long[] missing = missing(role);
        for (HoldRow offer : offersNewestFirst()) {
            if (isVictim(offer.scheduler(), role, counts(offer.got()), missing)) {
                cell.rescind(offer);
                takeFrom(offer.scheduler(), offer.got(), missing);
            }
        }
        if (!mayEvict(cell) || Arrays.stream(missing).allMatch(amount -> amount <= 0)) {
            return;
        }
        for (Victim task : tasksNewestFirst()) {
            if (isVictim(task.scheduler(), role, task.task().resources(), missing)) {
                cell.evict(task.task());
                takeFrom(task.scheduler(), task.task().resources(), missing);
            }
        }
    }

    private static Amounts counts(Amounts amounts) {
        return Frameworks.counted(amounts);
    }

    /** The amounts that it lacks, without those that are kept for it or being freed. */
    private long[] missing(Role role) {
        Amounts lacks = role.missing();
        long[] missing = new long[lacks.size()];
        Arrays.setAll(missing, lacks::at);
        if (cell.view().jobsOnMachines().anyMatch(Revocation::isAnyStopping)) {
            lessStopping(missing);
        }
        return missing;
    }

    private static boolean isAnyStopping(JobRow job) {
        return job.counts().of(TaskState.STOPPING) > 0;
    }

    private void lessStopping(long[] missing) {
        for (int slot = 0; slot < cell.machines(); slot++) {
            if (cell.view().machineExists(slot)) {
                cell.view().forEachHoldingTaskOn(slot, (group, index, state, amounts, placedVersion) -> {
                    if (state == TaskState.STOPPING) {
                        less(missing, amounts);
                    }
                });
            }
        }
    }

    private boolean isVictim(String scheduler, Role role, Amounts amounts, long[] missing) {
        Optional<Role> victim = frameworks.find(scheduler).map(Framework::role);
        return victim.filter(other -> other != role && other.canGive(amounts)).isPresent() && helps(amounts, missing);
    }

    private static boolean helps(Amounts amounts, long[] missing) {
        for (int dimension = 0; dimension < missing.length; dimension++) {
            if (missing[dimension] > 0 && amounts.at(dimension) > 0) {
                return true;
            }
        }
        return false;
    }

    private void takeFrom(String scheduler, Amounts amounts, long[] missing) {
        frameworks.find(scheduler).ifPresent(framework -> framework.returns(amounts));
        less(missing, amounts);
    }

    private static void less(long[] missing, Amounts amounts) {
        for (int dimension = 0; dimension < missing.length; dimension++) {
            missing[dimension] -= amounts.at(dimension);
        }
    }

    private List<HoldRow> offersNewestFirst() {
        List<HoldRow> offers = new ArrayList<>(cell.view().offers());
        offers.removeIf(
                offer -> !OffersScheduler.isOwn(offer, cell) || !cell.view().isReady(offer.slot()));
        Collections.reverse(offers);
        return offers;
    }

    /** A task and the scheduler of its job. */
    private record Victim(String scheduler, TaskRow task) {}

    private List<Victim> tasksNewestFirst() {
        List<Victim> tasks = new ArrayList<>();
        cell.view().jobsOnMachines().forEach(job -> {
            String scheduler = job.header().scheduler();
            if (frameworks.find(scheduler).isPresent()) {
                cell.tasksOf(job.id()).forEach(task -> tasks.add(new Victim(scheduler, task)));
            }
        });
        tasks.sort(Comparator.comparingLong((Victim victim) -> victim.task()
                        .placement()
                        .map(placement -> placement.version())
                        .orElse(0L))
                .reversed()
                .thenComparing(victim -> victim.task().text()));
        return tasks;
    }
}
