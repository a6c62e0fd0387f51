package dev.cella.cli.machine;

import dev.cella.client.proto.DrainMove;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineStatus;
import dev.cella.client.proto.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the tasks of a drained machine find room, by free amounts alone: largest tasks first, each on the first machine that
 * fits. The tasks' schedulers decide, and they know constraints too. A task without room here has no room at all.
 */
final class DrainPreview {
    private DrainPreview() {}

    static List<DrainMove> of(String drained, List<Task> tasks, List<Machine> machines) {
        Map<String, Map<String, Long>> free = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (Machine machine : machines) {
            if (machine.getStatus() == MachineStatus.MACHINE_STATUS_READY
                    && !machine.getName().equals(drained)) {
                names.add(machine.getName());
                free.put(machine.getName(), new HashMap<>(machine.getFreeMap()));
            }
        }
        List<Task> largestFirst = new ArrayList<>(tasks);
        largestFirst.sort((one, other) -> Long.compare(cpuMilli(other), cpuMilli(one)));
        return largestFirst.stream()
                .map(task -> move(
                        task,
                        names.stream()
                                .filter(name -> takes(free.getOrDefault(name, Map.of()), task))
                                .findFirst()))
                .toList();
    }

    private static DrainMove move(Task task, Optional<String> machine) {
        DrainMove.Builder move = DrainMove.newBuilder().setTask(task.getTask());
        machine.ifPresent(move::setMachine);
        return move.build();
    }

    private static long cpuMilli(Task task) {
        return task.getResourcesOrDefault("cpuMilli", 0);
    }

    /** If the task fits, takes its amounts. */
    private static boolean takes(Map<String, Long> free, Task task) {
        boolean fits = task.getResourcesMap().entrySet().stream()
                .allMatch(asked -> asked.getValue() <= free.getOrDefault(asked.getKey(), 0L));
        if (fits) {
            task.getResourcesMap().forEach((dimension, amount) -> free.merge(dimension, -amount, Long::sum));
        }
        return fits;
    }
}
