package dev.cella.scheduler.service.offers;

import dev.cella.scheduler.service.offers.Allocation.FreeMachine;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The frameworks of a cell with their holdings, and the machines that have something to offer. If an operator has defined a
 * pool with a role's name, it sets the role's weight and guarantee. Belongs to one round.
 */
final class Frameworks {
    /** A machine with less is not worth an offer: a hundredth of a core and 32 MiB, if it has these at all. */
    private static final Map<String, Long> WORTH_AN_OFFER = Map.of("cpuMilli", 10L, "memoryMib", 32L);

    private final PlanningView cell;
    private final CellView view;
    private final long[] totals;
    private final int outstandingMax;
    private final CellTime now;
    private final SortedMap<String, Role> roles = new TreeMap<>();
    private final SortedMap<String, Framework> frameworks = new TreeMap<>();

    private Frameworks(PlanningView cell, int outstandingMax, CellTime now) {
        this.now = now;
        this.cell = cell;
        this.view = cell.view();
        this.outstandingMax = outstandingMax;
        this.totals = isAnybodyThere() ? totals(cell) : new long[0];
    }

    static Frameworks of(PlanningView cell, int outstandingMax, CellTime now) {
        Frameworks read = new Frameworks(cell, outstandingMax, now);
        read.view.sessions().forEach(read::add);
        if (!read.frameworks.isEmpty()) {
            read.view.jobsOnMachines().forEach(read::countTasks);
            read.view.offers().forEach(read::countOffer);
        }
        return read;
    }

    private boolean isAnybodyThere() {
        return view.sessions().stream().anyMatch(session -> session.offers().isPresent());
    }

    private static long[] totals(PlanningView cell) {
        CellView view = cell.view();
        long[] totals = new long[view.dimensions().size()];
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            for (int dimension = 0;
                    cell.isWithin(slot) && view.machineExists(slot) && dimension < totals.length;
                    dimension++) {
                totals[dimension] += view.capacity(slot, dimension);
            }
        }
        return totals;
    }

    // ---- who takes part

    private void add(SessionRow session) {
        session.offers().ifPresent(part -> {
            Framework framework = frameworks.computeIfAbsent(
                    session.scheduler(), name -> new Framework(name, role(part), part.minimumOffer(), outstandingMax));
            int outstanding = view.offersTo(session.id()).size();
            framework.add(new Framework.Seat(session.id(), session.suppressed(), outstanding, refuses(session)));
        });
    }

    /** An idle cell does not advance its time, so the view alone does not show which refusals have expired. */
    private IntPredicate refuses(SessionRow session) {
        Map<Integer, Long> until = view.offersRefused(session.id());
        return until.isEmpty() ? machine -> false : machine -> until.getOrDefault(machine, 0L) > now.millis();
    }

    private Role role(Participation part) {
        return roles.computeIfAbsent(part.role(), name -> {
            Optional<PoolPolicy> said =
                    view.pool(name).filter(PoolRow::isDefined).map(PoolRow::policy);
            return new Role(
                    name,
                    said.map(PoolPolicy::weight).orElse(part.weight()),
                    said.map(PoolPolicy::minimum).orElse(Amounts.NONE),
                    totals);
        });
    }

    private void countTasks(JobRow job) {
        Framework framework = frameworks.get(job.header().scheduler());
        if (framework != null) {
            for (GroupRow group : job.groups()) {
                int tasks = group.onMachines();
                if (tasks > 0) {
                    framework.holds(times(group.header().shape(), tasks));
                }
            }
        }
    }

    private static Amounts times(Amounts shape, int tasks) {
        long[] times = new long[shape.size()];
        Arrays.setAll(times, dimension -> shape.at(dimension) * tasks);
        return Amounts.of(times);
    }

    private void countOffer(HoldRow offer) {
        Framework framework = frameworks.get(offer.scheduler());
        if (framework != null) {
            framework.holds(counted(offer.got()));
        }
    }

    /** Without the names of members. */
    static Amounts counted(Amounts amounts) {
        long[] values = new long[amounts.size()];
        Arrays.setAll(values, amounts::at);
        return Amounts.of(values);
    }

    Collection<Role> roles() {
        return Collections.unmodifiableCollection(roles.values());
    }

    Collection<Framework> all() {
        return Collections.unmodifiableCollection(frameworks.values());
    }

    Optional<Framework> find(String scheduler) {
        return Optional.ofNullable(frameworks.get(scheduler));
    }

    // ---- what there is to offer

    /** The machines that have enough free to be worth an offer, by slot. */
    List<FreeMachine> free() {
        List<FreeMachine> free = new ArrayList<>();
        for (int slot = 0; slot < cell.machines(); slot++) {
            if (cell.isReady(slot) && isWorthAnOffer(slot)) {
                int machine = slot;
                long[] amounts = new long[totals.length];
                Arrays.setAll(amounts, dimension -> cell.free(machine, dimension));
                free.add(new FreeMachine(slot, Amounts.of(amounts)));
            }
        }
        return free;
    }

    private boolean isAnythingFree(int slot) {
        for (int dimension = 0; dimension < totals.length; dimension++) {
            if (cell.free(slot, dimension) > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean isWorthAnOffer(int slot) {
        for (Map.Entry<String, Long> least : WORTH_AN_OFFER.entrySet()) {
            boolean has = cell.capacity(slot, least.getKey()) >= least.getValue();
            if (has && cell.free(slot, least.getKey()) < least.getValue()) {
                return false;
            }
        }
        return isAnythingFree(slot);
    }
}
