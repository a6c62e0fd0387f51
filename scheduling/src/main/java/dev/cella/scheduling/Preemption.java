package dev.cella.scheduling;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Makes room for tasks that found none: each is claimed together with the evictions that it needs, as the scheduler's rights
 * allow. It chooses the machine with the fewest victims, then the one with the least important, then the one with the
 * youngest.
 *
 * <h2>Which victims on one machine</h2>
 *
 * <p>Finding the smallest set is a knapsack in several dimensions. Instead it tries two orders: the least important first, and
 * the largest first. Each takes victims until the claim fits, then gives back every one that is not needed, the most important
 * first. So no victim is evicted in vain.
 *
 * <p>A member of a gang that restarts as a whole costs as many tasks as the gang has on machines.
 *
 * <p>Costs are proportional to the tasks that may be evicted, and to the victims. Belongs to one plan.
 */
public final class Preemption {
    /** The most tasks that a plan considers as victims, those of the least important jobs first. */
    private static final int CANDIDATES_MAX = 20_000;

    /** A task that may be evicted. */
    private record Victim(GroupRow group, int index, Amounts amounts, int priority, int cost, long placedAt) {
        Victim(GroupRow group, int index, Amounts amounts, long placedAt) {
            this(group, index, amounts, group.job().header().priority(), costOf(group), placedAt);
        }

        private static int costOf(GroupRow group) {
            return group.header().restartsAll() ? group.onMachines() : 1;
        }

        TaskId id() {
            return new TaskId(group.job().id(), group.place(), index);
        }

        String text() {
            return group.job().name() + "/" + group.header().name() + "/" + index;
        }
    }

    /**
     * The victims that let one task in on one machine.
     *
     * @param priority of the most important victim
     * @param age the version at which the oldest victim was placed
     */
    private record Choice(int machine, List<Victim> victims, int cost, int priority, long age) {
        static Choice of(int machine, List<Victim> victims) {
            int cost = 0;
            int priority = Integer.MIN_VALUE;
            long age = Long.MAX_VALUE;
            for (Victim victim : victims) {
                cost += victim.cost();
                priority = Math.max(priority, victim.priority());
                age = Math.min(age, victim.placedAt());
            }
            return new Choice(machine, victims, cost, priority, age);
        }

        /** "the eviction of 2 tasks of priority 20 or less on m-017", after "one more task with". */
        String text(PlanningView cell) {
            String tasks = victims.size() == 1 ? "1 task" : victims.size() + " tasks";
            return "the eviction of " + tasks + " of priority " + priority() + (victims.size() == 1 ? "" : " or less")
                    + " on " + cell.view().machineName(machine);
        }

        List<TaskRow> tasks(CellView view) {
            return victims.stream()
                    .map(victim -> view.task(victim.group(), victim.index()))
                    .toList();
        }
    }

    private static final Comparator<Choice> FEWEST = Comparator.comparingInt(Choice::cost)
            .thenComparingInt(Choice::priority)
            .thenComparing(Comparator.comparingLong(Choice::age).reversed())
            .thenComparingInt(Choice::machine);

    private static final Comparator<Victim> LEAST_IMPORTANT = Comparator.comparingInt(Victim::priority)
            .thenComparing(Comparator.comparingLong(Victim::placedAt).reversed())
            .thenComparing(Victim::text);

    private final PendingGroup group;
    private final PlanningView cell;
    private final Map<Integer, List<Victim>> victims = new HashMap<>();
    private final PriorityQueue<Choice> choices = new PriorityQueue<>(FEWEST);
    private int items;

    private Preemption(PendingGroup group, PlanningView cell) {
        this.group = group;
        this.cell = cell;
        this.items = group.claimsTogether();
    }

    /**
     * Claims machines, with evictions, for as many of the group's next tasks as possible. If tasks must be placed together and
     * too few are, the planner takes them back; otherwise the host does.
     */
    public static void claim(PendingGroup group, PlanningView cell) {
        if (group.hasNext()) {
            Preemption preemption = new Preemption(group, cell);
            preemption.findVictims();
            preemption.claimAll();
        }
    }

    /**
     * The smallest evictions on one of the machines that would let one more task in, whatever the scheduler's rights are.
     */
    static Optional<String> wouldHelp(PendingGroup group, PlanningView cell, List<Integer> machines) {
        return machines.stream()
                .flatMap(machine -> wouldHelp(group, cell, machine).stream())
                .min(FEWEST)
                .map(choice -> choice.text(cell));
    }

    private static Optional<Choice> wouldHelp(PendingGroup group, PlanningView cell, int machine) {
        List<Victim> there = new ArrayList<>();
        cell.forEachHoldingTaskOn(machine, (of, index, state, amounts, placedVersion) -> {
            if (!of.job().id().equals(group.job())) {
                there.add(new Victim(of, index, amounts, placedVersion));
            }
        });
        return new Preemption(group, cell).fewest(machine, there);
    }

    // ---- victims

    private void findVictims() {
        List<JobRow> jobs = cell.view()
                .jobsOnMachines(group.preemptsUpTo())
                .filter(group::mayPreempt)
                .sorted(Comparator.comparingInt((JobRow job) -> job.header().priority())
                        .thenComparing(Comparator.comparingLong(
                                        (JobRow job) -> job.id().version())
                                .reversed()))
                .toList();
        int found = 0;
        for (JobRow job : jobs) {
            if (found < CANDIDATES_MAX) {
                found += findVictims(job);
            }
        }
        victims.keySet().forEach(this::choose);
    }

    private int findVictims(JobRow job) {
        int found = 0;
        for (TaskRow task : cell.tasksOf(job.id())) {
            int machine = task.machine().orElseThrow();
            if (group.mayGo(machine) && group.mayEvict(task, job)) {
                victims.computeIfAbsent(machine, slot -> new ArrayList<>()).add(victim(task, job));
                found++;
            }
        }
        return found;
    }

    private static Victim victim(TaskRow task, JobRow job) {
        long placedAt = task.placement().map(PlacementId::version).orElse(0L);
        return new Victim(job.group(task.id().group()), task.id().index(), task.resources(), placedAt);
    }

    // ---- where

    private void choose(int machine) {
        List<Victim> there = victims.getOrDefault(machine, List.of());
        if (!there.isEmpty() && group.mayGo(machine)) {
            fewest(machine, there).ifPresent(choices::add);
        }
    }

    private Optional<Choice> fewest(int machine, List<Victim> there) {
        Optional<Choice> byImportance = enough(machine, there, LEAST_IMPORTANT);
        if (byImportance.isEmpty() || byImportance.get().victims().size() == 1) {
            return byImportance;
        }
        Comparator<Victim> largest = Comparator.comparingLong(this::share).reversed();
        Optional<Choice> bySize = enough(machine, there, largest.thenComparing(LEAST_IMPORTANT));
        return bySize.filter(choice -> FEWEST.compare(choice, byImportance.get()) < 0)
                .or(() -> byImportance);
    }

    /** How much of the claim's request the victim has, in thousandths of each dimension. */
    private long share(Victim victim) {
        long share = 0;
        for (int dimension = 0; dimension < group.shape().size(); dimension++) {
            long asked = group.shape().at(dimension);
            long held = victim.amounts().at(dimension);
            share += asked == 0 ? 0 : Math.min(1_000, held * 1_000 / asked);
        }
        return share;
    }

    /** Adds up what the victims hold as it goes, so that a machine with many of them costs no more for each. */
    private Optional<Choice> enough(int machine, List<Victim> there, Comparator<Victim> order) {
        Amounts held = Amounts.NONE;
        List<Victim> taken = new ArrayList<>();
        Iterator<Victim> next = there.stream().sorted(order).iterator();
        while (next.hasNext() && (taken.isEmpty() || !group.fitsEvicting(machine, held))) {
            Victim victim = next.next();
            taken.add(victim);
            held = held.plus(victim.amounts());
        }
        if (taken.isEmpty() || !group.fitsEvicting(machine, held)) {
            return Optional.empty();
        }
        return Optional.of(Choice.of(machine, withoutSpared(machine, taken, held)));
    }

    /** The taken victims without those that the claim does not need, the most important first; never none. */
    private List<Victim> withoutSpared(int machine, List<Victim> taken, Amounts held) {
        if (taken.size() == 1) {
            return taken;
        }
        Set<TaskId> needed = new HashSet<>();
        taken.forEach(victim -> needed.add(victim.id()));
        Amounts left = held;
        for (Victim victim : taken.stream().sorted(LEAST_IMPORTANT.reversed()).toList()) {
            Amounts without = left.minus(victim.amounts());
            if (needed.size() > 1 && group.fitsEvicting(machine, without)) {
                needed.remove(victim.id());
                left = without;
            }
        }
        return taken.stream().filter(victim -> needed.contains(victim.id())).toList();
    }

    // ---- claims

    private void claimAll() {
        while (group.hasNext() && !choices.isEmpty()) {
            Choice best = choices.remove();
            if (!group.mayGo(best.machine())) {
                continue;
            }
            items += 1 + best.victims().size();
            if (items > cell.claimsMax()) {
                return;
            }
            group.claimEvicting(best.machine(), best.tasks(cell.view()));
            Objects.requireNonNull(victims.get(best.machine())).removeAll(best.victims());
            choose(best.machine());
        }
    }
}
