package dev.cella.cli.job;

import dev.cella.cli.cell.Pages;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides whether some machine of the cell could hold a task if it were empty. A cell without machines gives no answer:
 * they may be about to register.
 */
final class LargestMachine {
    private final List<Machine> machines;

    LargestMachine(List<Machine> machines) {
        this.machines = machines;
    }

    static LargestMachine of(HttpCell cell) {
        return new LargestMachine(
                Pages.machines(cell, ListMachinesRequest.getDefaultInstance()).getMachinesList());
    }

    /** A sentence for each group whose tasks can never be placed. */
    List<String> tooSmallFor(Job job) {
        List<String> reasons = new ArrayList<>();
        for (Group group : job.getGroupsList()) {
            tooSmallFor(group).ifPresent(reason -> reasons.add("group " + group.getName() + " " + reason));
        }
        return reasons;
    }

    private Optional<String> tooSmallFor(Group group) {
        Map<String, Long> asked = new TreeMap<>(group.getResourcesMap());
        if (machines.isEmpty() || machines.stream().anyMatch(machine -> holds(machine, asked))) {
            return Optional.empty();
        }
        return asked.entrySet().stream()
                .filter(entry -> entry.getValue() > amount(largest(entry.getKey()), entry.getKey()))
                .map(entry -> tooSmallIn(entry.getKey(), entry.getValue()))
                .findFirst()
                .or(() -> Optional.of("asks " + asked + " a task, and no machine has all of that together"));
    }

    private String tooSmallIn(String dimension, long asked) {
        Machine largest = largest(dimension);
        return String.format(
                "asks %d %s a task, and the largest machine, %s, has %d",
                asked, dimension, largest.getName(), amount(largest, dimension));
    }

    private Machine largest(String dimension) {
        return machines.stream()
                .max(Comparator.comparingLong(machine -> amount(machine, dimension)))
                .orElseThrow();
    }

    private static boolean holds(Machine machine, Map<String, Long> asked) {
        return asked.entrySet().stream().allMatch(entry -> entry.getValue() <= amount(machine, entry.getKey()));
    }

    private static long amount(Machine machine, String dimension) {
        return machine.getCapacityOrDefault(dimension, 0);
    }
}
