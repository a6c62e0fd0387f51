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

        void failed(int next, Failure failure) {
            if (next > attempt) {
                attempt = next;
                newest.add(failure);
            }
            if (newest.size() > REMEMBERED_MAX) {
                newest.remove();
            }
        }

        Failures copy() {
            Failures copy = new Failures();
            copy.newest.addAll(newest);
            copy.attempt = attempt;
            return copy;
        }
    }

    /** The failures of one group's tasks, by index. */
    private static final class GroupFailures {
        final Map<Integer, Failures> tasks = new HashMap<>();

        /** Those that failed more than once. A plan looks at these only: most failures of a large group are the first of a task. */
        final Map<Integer, Failures> repeated = new HashMap<>();

        void failed(int index, int attempt, Failure failure) {
            Failures failures = tasks.computeIfAbsent(index, task -> new Failures());
            failures.failed(attempt, failure);
            if (failures.newest.size() >= FAILURES_UNTIL_ELSEWHERE) {
                repeated.put(index, failures);
            }
        }

        GroupFailures copy() {
            GroupFailures copy = new GroupFailures();
            tasks.forEach((index, failures) -> {
                Failures copied = failures.copy();
                copy.tasks.put(index, copied);
                if (repeated.containsKey(index)) {
                    copy.repeated.put(index, copied);
                }
            });
            return copy;
        }
    }

    /** By job, by the group's place. */
    private final Map<JobId, Map<Integer, GroupFailures>> jobs = new HashMap<>();

    /** Records that this attempt of the task failed on that machine. Repeating the call changes nothing. */
    public void failed(TaskId task, int attempt, MachineId machine, CellTime now) {
        jobs.computeIfAbsent(task.job(), job -> new HashMap<>())
                .computeIfAbsent(task.group(), group -> new GroupFailures())
                .failed(task.index(), attempt, new Failure(machine, now));
    }

    /** A copy, for another thread. */
    FailedMachines copy() {
        FailedMachines copy = new FailedMachines();
        jobs.forEach((job, groups) -> groups.forEach((group, failures) ->
                copy.jobs.computeIfAbsent(job, none -> new HashMap<>()).put(group, failures.copy())));
        return copy;
    }

    public void forget(JobId job) {
        jobs.remove(job);
    }

    /** The machines that tasks of the group should avoid now. */
    public Set<MachineId> avoidedBy(JobId job, int group, CellTime now) {
        GroupFailures failures = jobs.getOrDefault(job, Map.of()).get(group);
        if (failures == null || failures.repeated.isEmpty()) {
            return Set.of();
        }
        Set<MachineId> avoided = new HashSet<>();
        for (Failures each : failures.repeated.values()) {
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
