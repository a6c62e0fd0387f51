package dev.cella.scheduling.host;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The machines on which tasks have failed. One failure may be the task's fault. From the second failure on the task is tried
 * elsewhere, if there is room. One scheduler keeps this while it runs. Belongs to one thread.
 */
public final class FailedMachines {
    private static final int FAILURES_UNTIL_ELSEWHERE = 2;
    private static final int REMEMBERED_MAX = 8;

    private record Group(JobId job, int place) {}

    /** The machines on which one task failed, the newest last. */
    private static final class Failures {
        final Deque<MachineId> machines = new ArrayDeque<>();
        int attempt;

        Failures copy() {
            Failures copy = new Failures();
            copy.machines.addAll(machines);
            copy.attempt = attempt;
            return copy;
        }
    }

    private final Map<Group, Map<Integer, Failures>> groups = new HashMap<>();

    /** Records that this attempt of the task failed on that machine. Repeating the call changes nothing. */
    public void failed(TaskId task, int attempt, MachineId machine) {
        Failures failures = groups.computeIfAbsent(new Group(task.job(), task.group()), group -> new HashMap<>())
                .computeIfAbsent(task.index(), index -> new Failures());
        if (attempt > failures.attempt) {
            failures.attempt = attempt;
            failures.machines.add(machine);
        }
        if (failures.machines.size() > REMEMBERED_MAX) {
            failures.machines.remove();
        }
    }

    /** A copy, for another thread. */
    FailedMachines copy() {
        FailedMachines copy = new FailedMachines();
        groups.forEach((group, tasks) -> {
            Map<Integer, Failures> copied = new HashMap<>();
            tasks.forEach((index, failures) -> copied.put(index, failures.copy()));
            copy.groups.put(group, copied);
        });
        return copy;
    }

    public void forget(JobId job) {
        groups.keySet().removeIf(group -> group.job.equals(job));
    }

    /** The machines that tasks of the group should avoid. */
    public Set<MachineId> avoidedBy(JobId job, int group) {
        if (groups.isEmpty()) {
            return Set.of();
        }
        Set<MachineId> avoided = new HashSet<>();
        for (Failures each :
                groups.getOrDefault(new Group(job, group), Map.of()).values()) {
            if (each.machines.size() >= FAILURES_UNTIL_ELSEWHERE) {
                avoided.addAll(each.machines);
            }
        }
        return avoided;
    }
}
