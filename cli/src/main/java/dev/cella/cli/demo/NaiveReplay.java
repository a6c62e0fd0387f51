package dev.cella.cli.demo;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Replays the cell's history version by version, with a simple rule: the tasks on a machine hold no more than it has, and no
 * task is in two places. It shares nothing with the rule that decides commits, and detects if that one was ever wrong.
 *
 * <p>It gets each version in turn, then the rows that this version changed, as they are after it. Not thread-safe.
 */
final class NaiveReplay {
    /** The amounts of one attempt, and its machine. */
    private record Held(String machine, Amounts amounts, PlacementId placement) {}

    /** The cell's own numbers for a machine. */
    private record Said(Amounts capacity, Amounts free) {}

    private final Map<TaskId, Held> held = new HashMap<>();
    private final Map<String, Set<TaskId>> tasksOf = new HashMap<>();
    private final Map<String, Said> said = new HashMap<>();
    private final Set<String> touched = new HashSet<>();
    private long first;
    private long last;
    private Optional<String> violation = Optional.empty();

    /** A version begins; the previous one is complete and is checked. */
    void version(long version) {
        checkTouched();
        if (last != 0 && version != last + 1) {
            found("version " + version + " follows " + last);
        }
        first = first == 0 ? version : first;
        last = version;
    }

    void machine(String name, Amounts capacity, Amounts free) {
        said.put(name, new Said(capacity, free));
        touched.add(name);
    }

    void task(
            TaskId task, TaskState state, Optional<String> machine, Amounts amounts, Optional<PlacementId> placement) {
        Held before = held.get(task);
        if (!state.isOnMachine()) {
            release(task);
            return;
        }
        Held now = new Held(machine.orElseThrow(), amounts, placement.orElseThrow());
        if (before != null && !before.placement().equals(now.placement())) {
            found("version " + last + ": task " + task + " is on " + now.machine() + " and still on "
                    + before.machine());
        }
        release(task);
        held.put(task, now);
        tasksOf.computeIfAbsent(now.machine(), name -> new HashSet<>()).add(task);
        touched.add(now.machine());
    }

    private void release(TaskId task) {
        Held before = held.remove(task);
        if (before != null) {
            tasksOf.getOrDefault(before.machine(), Set.of()).remove(task);
            touched.add(before.machine());
        }
    }

    private void checkTouched() {
        touched.forEach(this::check);
        touched.clear();
    }

    private void check(String machine) {
        Said of = said.get(machine);
        if (of == null) {
            found("version " + last + ": there are tasks on " + machine + ", which is no machine");
            return;
        }
        for (int dimension = 0; dimension < of.capacity().size(); dimension++) {
            check(machine, dimension, of);
        }
    }

    private void check(String machine, int dimension, Said of) {
        long taken = 0;
        for (TaskId task : tasksOf.getOrDefault(machine, Set.of())) {
            Amounts amounts = Objects.requireNonNull(held.get(task)).amounts();
            taken += dimension < amounts.size() ? amounts.at(dimension) : 0;
        }
        long capacity = of.capacity().at(dimension);
        if (taken > capacity) {
            found("version " + last + ": " + machine + " has " + capacity + " and its tasks hold " + taken);
        } else if (of.free().at(dimension) != capacity - taken) {
            found("version " + last + ": " + machine + " says that " + of.free().at(dimension) + " are free, and "
                    + (capacity - taken) + " are");
        }
    }

    /** Keeps only the first violation: later ones may follow from it. */
    private void found(String what) {
        violation = violation.or(() -> Optional.of(what));
    }

    /** How many versions were replayed. */
    long versions() {
        return first == 0 ? 0 : last - first + 1;
    }

    /** The first violation, if any was found. */
    Optional<String> violation() {
        checkTouched();
        return violation;
    }
}
