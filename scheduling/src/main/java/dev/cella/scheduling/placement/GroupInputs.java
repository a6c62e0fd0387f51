package dev.cella.scheduling.placement;

import java.util.List;

/**
 * The places of a group's input, and how long its job waits for a machine near it: delay scheduling's W1 and W2.
 *
 * @param tasks the input of each task by its index, or one for all tasks
 * @param waitMachineMillis how long to wait for a machine with the input
 * @param waitRackMillis how long to wait after that for a machine in a rack with the input
 */
public record GroupInputs(List<TaskInputs> tasks, long waitMachineMillis, long waitRackMillis) {
    /** The group's input has no particular place. */
    public static final GroupInputs NONE = new GroupInputs(List.of(), 0, 0);

    public GroupInputs {
        tasks = List.copyOf(tasks);
        if (waitMachineMillis < 0 || waitRackMillis < 0) {
            throw new IllegalArgumentException("a wait is not negative");
        }
    }

    public boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** The input of the task at that index. A task that a scale has added beyond those of the job has none. */
    public TaskInputs of(int index) {
        if (tasks.size() == 1) {
            return tasks.get(0);
        }
        return index < tasks.size() ? tasks.get(index) : TaskInputs.NONE;
    }
}
