package dev.cella.scheduling;

import dev.cella.scheduling.placement.Domains;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The tasks of one group that are on machines, for a policy that moves some of them: which of them have room elsewhere, and
 * which would be better spread there. A task is moved by {@link PlanningView#replace}; the next plans place its next attempt.
 *
 * <p>Each answer counts the tasks named before as moved, so two tasks never get the same room. It judges a place with the
 * numbers by which {@link PendingGroup#candidates} chooses one, so a task that moves goes there, and moves come to an end.
 * Belongs to one plan and its thread.
 */
public final class PlacedGroup {
    private final PlanningView cell;
    private final Amounts shape;
    private final GroupPlacement placement;
    private final Musts musts;
    private final Domains domains;
    private final Whereabouts whereabouts;
    private final Worth worth;
    private final Map<Integer, Integer> moved = new HashMap<>();

    PlacedGroup(PlanningView cell, GroupRow row, GroupPlacement placement) {
        this.cell = cell;
        this.shape = row.header().shape();
        this.placement = placement;
        this.musts = new Musts(placement.constraints());
        this.domains = cell.domains(placement);
        this.whereabouts = new Whereabouts(placement, domains);
        cell.forEachMachineOf(row, whereabouts::add);
        int max = row.header().runningMax();
        int tasks = max == 0 ? row.header().count() : Math.min(row.header().count(), max);
        this.worth = new Worth(domains, whereabouts, tasks, placement.spreads().size());
    }

    /** Those of the tasks for which another machine has room, whatever that place is worth. */
    public List<TaskRow> withRoomElsewhere(List<TaskRow> tasks) {
        List<TaskRow> named = new ArrayList<>();
        for (TaskRow task : tasks) {
            if (moves(task, Long.MIN_VALUE, Long.MIN_VALUE)) {
                named.add(task);
            }
        }
        return named;
    }

    /**
     * Those of the tasks that would be spread better on another machine that has room, without a loss for the group's other
     * wishes.
     */
    public List<TaskRow> betterSpreadElsewhere(List<TaskRow> tasks) {
        List<TaskRow> named = new ArrayList<>();
        if (placement.spreads().isEmpty() || placement.together().isPresent()) {
            return named;
        }
        for (TaskRow task : tasks) {
            int own = classOf(task.machine().orElse(Candidates.NONE));
            if (own >= 0 && isBetterElsewhere(task, own)) {
                named.add(task);
            }
        }
        return named;
    }

    /** What its place is worth is counted without the task itself, as for a task that is still to be placed. */
    private boolean isBetterElsewhere(TaskRow task, int own) {
        int machine = task.machine().orElseThrow();
        whereabouts.remove(machine);
        long now = worth.of(own);
        long nowSpread = worth.ofSpreads(own);
        whereabouts.add(machine);
        return moves(task, now, nowSpread);
    }

    /** Finds the best place that is worth more than both numbers, and counts the task there. */
    private boolean moves(TaskRow task, long above, long spreadAbove) {
        int machine = task.machine().orElse(Candidates.NONE);
        if (machine == Candidates.NONE) {
            return false;
        }
        whereabouts.remove(machine);
        int to = bestWithRoom(machine, above, spreadAbove);
        whereabouts.add(to == Candidates.NONE ? machine : to);
        moved.merge(to, 1, Integer::sum);
        return to != Candidates.NONE;
    }

    private int bestWithRoom(int but, long above, long spreadAbove) {
        List<Integer> bestFirst = IntStream.range(0, domains.classes())
                .filter(place -> worth.of(place) > above && worth.ofSpreads(place) > spreadAbove)
                .boxed()
                .sorted(Comparator.comparingLong(worth::of).reversed())
                .toList();
        return bestFirst.stream()
                .flatMapToInt(place -> Arrays.stream(domains.machines(place)))
                .filter(machine -> machine != but && hasRoom(machine))
                .findFirst()
                .orElse(Candidates.NONE);
    }

    private boolean hasRoom(int machine) {
        return cell.isReady(machine)
                && cell.fits(machine, shape)
                && hasRoomBesideMoved(machine)
                && whereabouts.distinctRoom(machine) > 0
                && !whereabouts.isApart(machine)
                && musts.firstUnmet(cell.view(), machine).isEmpty();
    }

    /** Returns whether the tasks that were named for the machine leave room for one more. */
    private boolean hasRoomBesideMoved(int machine) {
        long tasks = 1L + moved.getOrDefault(machine, 0);
        if (tasks > 1 && shape.namesMembers()) {
            return false;
        }
        return IntStream.range(0, shape.size())
                .allMatch(dimension -> shape.at(dimension) * tasks <= cell.free(machine, dimension));
    }

    /** The class of the machine, or -1 if the group's tasks may no longer go there. */
    private int classOf(int machine) {
        for (int place = 0; place < domains.classes(); place++) {
            if (Arrays.binarySearch(domains.machines(place), machine) >= 0) {
                return place;
            }
        }
        return -1;
    }
}
