package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Drain;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds machines whose drain is past its deadline and that still have tasks to move. The apply thread asks after every entry,
 * so machines that wait for their deadline, and those that only keep tasks that may finish, cost nothing.
 */
final class DueDrains {
    private static final Comparator<Deadline> SOONEST_FIRST =
            Comparator.comparing(Deadline::at).thenComparingLong(Deadline::machine);

    private record Deadline(CellTime at, long machine) {}

    private final Tables tables;
    private final TaskEnds ends;
    private final SortedSet<Deadline> waiting = new TreeSet<>(SOONEST_FIRST);
    private final Map<Long, Deadline> waitingByMachine = new HashMap<>();
    private final SortedSet<Long> due = new TreeSet<>();

    DueDrains(Tables tables, TaskEnds ends) {
        this.tables = tables;
        this.ends = ends;
    }

    /** Adds the machine if it is drained now. Another deadline replaces the former one. */
    void add(long machine) {
        int slot = tables.machines.findById(machine);
        Drain drain = slot < 0 ? null : tables.machines.drain(slot);
        if (drain != null) {
            due.remove(machine);
            Deadline next = new Deadline(drain.deadline(), machine);
            Deadline before = waitingByMachine.put(machine, next);
            if (before != null) {
                waiting.remove(before);
            }
            waiting.add(next);
        }
    }

    /** The machines with tasks to move at {@code now}. */
    List<Long> at(CellTime now) {
        find(now);
        return due.stream().filter(machine -> isPast(machine, now)).toList();
    }

    /** Returns whether {@link #at} has a machine. */
    boolean isAnyAt(CellTime now) {
        find(now);
        return due.stream().anyMatch(machine -> isPast(machine, now));
    }

    private void find(CellTime now) {
        while (!waiting.isEmpty() && waiting.first().at().compareTo(now) <= 0) {
            Deadline over = waiting.first();
            waiting.remove(over);
            waitingByMachine.remove(over.machine());
            due.add(over.machine());
        }
        due.removeIf(machine -> !hasTasksToMove(tables.machines.findById(machine)));
    }

    /** A drained machine takes no claims, so once it has no tasks to move, it never has any again. */
    private boolean hasTasksToMove(int slot) {
        Drain drain = slot < 0 ? null : tables.machines.drain(slot);
        return drain != null && ends.needsDrain(slot, drain.deadline());
    }

    /** The leader's clock, by which a machine was found, may be later than the cell time of the next entry. */
    private boolean isPast(long machine, CellTime now) {
        return ends.needsDrain(tables.machines.findById(machine), now);
    }
}
