package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The spare tasks of each machine, the youngest first: the machine's second column (SEMANTICS section 5, "Queue rows and spare
 * work"). A spare task holds nothing of what is free. This follows from the rows of the tasks, so no digest covers it. Owned
 * by the thread that applies changes.
 */
public final class SpareTasks {
    private final TaskTable tasks;
    private final Comparator<Integer> youngestFirst;
    private final Map<Integer, NavigableSet<Integer>> bySlot = new HashMap<>();
    private int size;

    SpareTasks(TaskTable tasks) {
        this.tasks = tasks;
        youngestFirst = Comparator.comparingLong(tasks::placedVersion)
                .thenComparingInt(tasks::ordinal)
                .reversed();
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** How many spare tasks are on machines. */
    public int size() {
        return size;
    }

    /** The rows of the machine's spare tasks, also of those that were told to end. */
    public Collection<Integer> on(int slot) {
        return size == 0
                ? Collections.emptyList()
                : Collections.unmodifiableCollection(bySlot.getOrDefault(slot, Collections.emptyNavigableSet()));
    }

    /** How many spare tasks of the job are on machines. */
    public int of(JobRow job) {
        return (int) bySlot.values().stream()
                .flatMap(Collection::stream)
                .filter(row -> tasks.group(row).job() == job)
                .count();
    }

    /** How much of the dimension the machine's spare tasks use. */
    public long used(int slot, int dimension) {
        long used = 0;
        for (int row : on(slot)) {
            used += tasks.shape(row).at(dimension);
        }
        return used;
    }

    void add(int row) {
        boolean added = bySlot.computeIfAbsent(tasks.machine(row), slot -> new TreeSet<>(youngestFirst))
                .add(row);
        checkInvariant(added, "task row %s is spare work twice", row);
        size++;
    }

    void remove(int row) {
        bySlot.computeIfPresent(tasks.machine(row), (slot, on) -> {
            checkInvariant(on.remove(row), "task row %s is no spare work of machine %s", row, slot);
            return on.isEmpty() ? null : on;
        });
        size--;
    }
}
