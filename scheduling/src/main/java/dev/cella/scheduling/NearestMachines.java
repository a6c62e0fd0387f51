package dev.cella.scheduling;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The few machines that come nearest to holding a task, by the part of the request that each has. A change is looked for on
 * these alone: each costs a look at all its tasks, and a machine that lacks more needs a larger change. Belongs to one plan.
 */
final class NearestMachines {
    static final int MAX = 16;

    private record Machine(int slot, long permille) {}

    /** The nearest first; among equals the lower slot. */
    private final TreeSet<Machine> machines =
            new TreeSet<>(Comparator.comparingLong(Machine::permille).reversed().thenComparingInt(Machine::slot));

    private long leastKept = Long.MIN_VALUE;

    void add(int slot, long permille) {
        if (machines.size() == MAX && permille <= leastKept) {
            return;
        }
        machines.add(new Machine(slot, permille));
        if (machines.size() > MAX) {
            machines.pollLast();
        }
        leastKept = machines.last().permille();
    }

    List<Integer> inOrder() {
        return machines.stream().map(Machine::slot).toList();
    }
}
