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

    /** By job, by the group's place, by the task's index. */
    private final Map<JobId, Map<Integer, Map<Integer, Failures>>> jobs = new HashMap<>();

    /** Records that this attempt of the task failed on that machine. Repeating the call changes nothing. */
    public void failed(TaskId task, int attempt, MachineId machine) {
        Failures failures = jobs.computeIfAbsent(task.job(), job -> new HashMap<>())
                .computeIfAbsent(task.group(), group -> new HashMap<>())
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
        jobs.forEach((job, groups) -> groups.forEach((group, tasks) -> {
            Map<Integer, Failures> copied = new HashMap<>();
            tasks.forEach((index, failures) -> copied.put(index, failures.copy()));
            copy.jobs.computeIfAbsent(job, none -> new HashMap<>()).put(group, copied);
        }));
        return copy;
    }

    public void forget(JobId job) {
        jobs.remove(job);
    }

    /** The machines that tasks of the group should avoid. */
    public Set<MachineId> avoidedBy(JobId job, int group) {
        if (jobs.isEmpty()) {
            return Set.of();
        }
        Set<MachineId> avoided = new HashSet<>();
        for (Failures each :
                jobs.getOrDefault(job, Map.of()).getOrDefault(group, Map.of()).values()) {
            if (each.machines.size() >= FAILURES_UNTIL_ELSEWHERE) {
                avoided.addAll(each.machines);
            }
        }
        return avoided;
    }
}
