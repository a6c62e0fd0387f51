package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.MachineFact;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** C1: running sums over what the change stream shows, by machine. */
final class NoOverCommit implements Checker {
    private record Held(int machine, Amounts amounts) {}

    @Override
    public String number() {
        return "C1";
    }

    @Override
    public String holds() {
        return "At no version do the tasks on a machine hold more than it has.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream()
                .flatMap(step -> step.tasks().stream())
                .anyMatch(task -> task.machine() >= 0);
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Sums sums = new Sums();
        evidence.replay().steps().forEach(sums::add);
        return sums.found.all();
    }

    private static final class Sums {
        private final Found found = new Found();
        private final Map<TaskId, Held> held = new HashMap<>();
        private final Set<TaskId> yielding = new HashSet<>();
        private final Map<Integer, long[]> used = new HashMap<>();
        private final Map<Integer, Amounts> capacities = new HashMap<>();

        void add(Step step) {
            step.machines().forEach(this::machine);
            step.tasks().forEach(task -> release(step, task));
            for (TaskFact task : step.tasks()) {
                hold(step, task);
            }
        }

        private void machine(MachineFact machine) {
            capacities.put(machine.slot(), machine.capacity());
        }

        private void release(Step step, TaskFact task) {
            if (task.state() != TaskState.STOPPING) {
                yielding.remove(task.task());
            } else if (isEvictedForAClaim(step, task.task())) {
                yielding.add(task.task());
            }
            Held before = held.remove(task.task());
            if (before != null) {
                change(before.machine(), before.amounts(), -1);
            }
        }

        private static boolean isEvictedForAClaim(Step step, TaskId victim) {
            return step.command().orElse(null) instanceof Command.CommitTransaction commit
                    && commit.transaction().evictions().stream()
                            .anyMatch(eviction -> eviction.task().equals(victim)
                                    && eviction.forClaim().isPresent());
        }

        /**
         * A victim has handed its amounts over to the claim that it yields to. Without a claim it holds them until it has
         * ended.
         */
        private void hold(Step step, TaskFact task) {
            if (task.machine() < 0 || yielding.contains(task.task()) || held.containsKey(task.task())) {
                return;
            }
            held.put(task.task(), new Held(task.machine(), task.resources()));
            long[] sums = change(task.machine(), task.resources(), 1);
            Amounts capacity = capacities.getOrDefault(task.machine(), Amounts.NONE);
            for (int dimension = 0; dimension < sums.length; dimension++) {
                if (sums[dimension] > capacity.at(dimension)) {
                    found.add(
                            Checker.version(step.version()),
                            "slot %d holds %d of dimension %d and has %d",
                            task.machine(),
                            sums[dimension],
                            dimension,
                            capacity.at(dimension));
                    return;
                }
            }
        }

        private long[] change(int machine, Amounts amounts, int sign) {
            long[] sums = used.computeIfAbsent(machine, slot -> new long[Math.max(4, amounts.size())]);
            if (sums.length < amounts.size()) {
                sums = Arrays.copyOf(sums, amounts.size());
                used.put(machine, sums);
            }
            for (int dimension = 0; dimension < amounts.size(); dimension++) {
                sums[dimension] += sign * amounts.at(dimension);
            }
            return sums;
        }
    }
}
