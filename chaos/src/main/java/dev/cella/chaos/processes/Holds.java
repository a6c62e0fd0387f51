package dev.cella.chaos.processes;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The faults that are in force on each of some things. Faults overlap: a thing is broken by the first of its faults, and healed
 * when the last one lets go. Owned by the thread of the run.
 */
final class Holds<T> {
    private final Map<T, Set<ProcessFault>> faults = new HashMap<>();

    /** Returns whether no other fault has it. */
    boolean take(T thing, ProcessFault by) {
        Set<ProcessFault> its = faults.computeIfAbsent(thing, none -> new HashSet<>());
        its.add(by);
        return its.size() == 1;
    }

    /** Returns whether no fault has it any more. */
    boolean release(T thing, ProcessFault by) {
        Set<ProcessFault> its = faults.computeIfAbsent(thing, none -> new HashSet<>());
        its.remove(by);
        return its.isEmpty();
    }
}
