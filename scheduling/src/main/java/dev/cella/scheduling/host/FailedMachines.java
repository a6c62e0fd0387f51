package dev.cella.scheduling.host;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The machines on which tasks have failed. One failure may be the task's fault. From the second failure within an hour on the
 * task is tried elsewhere, if there is room. One scheduler keeps this while it runs. Belongs to one thread.
 */
public final class FailedMachines {
    private static final int FAILURES_UNTIL_ELSEWHERE = 2;
    private static final int REMEMBERED_MAX = 8;

    /** A service may live for years, and a machine on which it failed long ago may be as good as any other. */
    private static final long REMEMBERED_MILLIS = 3_600_000;

    private record Failure(MachineId machine, CellTime at) {
        boolean isRecent(CellTime now) {
            return now.millis() - at.millis() < REMEMBERED_MILLIS;
        }
    }

    /** The failures of one task, the newest last. */
    private static final class Failures {
        final Deque<Failure> newest = new ArrayDeque<>();
        int attempt;

        Failures copy() {
            Failures copy = new Failures();
            copy.newest.addAll(newest);
            copy.attempt = attempt;
            return copy;
        }
    }

    /** By job, by the group's place, by the task's index. */
    private final Map<JobId, Map<Integer, Map<Integer, Failures>>> jobs = new HashMap<>();

    /** Records that this attempt of the task failed on that machine. Repeating the call changes nothing. */
    public void failed(TaskId task, int attempt, MachineId machine, CellTime now) {
        Failures failures = jobs.computeIfAbsent(task.job(), job -> new HashMap<>())
                .computeIfAbsent(task.group(), group -> new HashMap<>())
                .computeIfAbsent(task.index(), index -> new Failures());
        if (attempt > failures.attempt) {
            failures.attempt = attempt;
            failures.newest.add(new Failure(machine, now));
        }
        if (failures.newest.size() > REMEMBERED_MAX) {
            failures.newest.remove();
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

    /** The machines that tasks of the group should avoid now. */
    public Set<MachineId> avoidedBy(JobId job, int group, CellTime now) {
        if (jobs.isEmpty()) {
            return Set.of();
        }
        Set<MachineId> avoided = new HashSet<>();
        for (Failures each :
                jobs.getOrDefault(job, Map.of()).getOrDefault(group, Map.of()).values()) {
            List<MachineId> recent = each.newest.stream()
                    .filter(failure -> failure.isRecent(now))
                    .map(Failure::machine)
                    .toList();
            if (recent.size() >= FAILURES_UNTIL_ELSEWHERE) {
                avoided.addAll(recent);
            }
        }
        return avoided;
    }
}
