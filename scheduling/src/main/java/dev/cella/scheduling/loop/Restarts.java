package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tasks that get another attempt, and when: one that FAILED after the delay of its group's restart policy, which
 * doubles with each failure up to the policy's limit; a service's that FINISHED just so; one that was lost,
 * preempted, drained or replaced at once, and after a small growing delay when it goes on being lost. Whether a task has
 * failed for good is the cell's to say. Owned by {@link SchedulerLoop}.
 */
final class Restarts {
    private record Due(CellTime at, TaskId task, int attempt) {}

    private static final Comparator<Due> ORDER = Comparator.comparing(Due::at)
            .thenComparing(due -> due.task.job().version())
            .thenComparing(due -> due.task.group())
            .thenComparing(due -> due.task.index());

    private final Backoff lost;
    private final long seed;
    private final TreeSet<Due> due = new TreeSet<>(ORDER);
    private final Map<TaskId, Due> waiting = new HashMap<>();
    private final Set<TaskId> inFlight = new HashSet<>();
    private final Map<TaskId, Integer> ends = new HashMap<>();
    private final Map<TaskId, Integer> refusals = new HashMap<>();

    Restarts(Backoff lost, long seed) {
        this.lost = lost;
        this.seed = seed;
    }

    /** The task is as the row says since {@code now}: plan its next attempt if it gets one, else forget it. */
    void look(TaskRow task, GroupRow group, CellTime now) {
        if (inFlight.contains(task.id())) {
            return;
        }
        boolean isOfTheGroup = task.id().index() < group.header().count();
        if (!isOfTheGroup || !getsAnotherAttempt(task, group.job().header().type())) {
            forget(task);
        } else if (!isWaiting(task)) {
            long delayMillis = delayMillis(task, group.header().restart());
            add(new Due(now.plusMillis(delayMillis), task.id(), task.attempt()));
        }
    }

    private static boolean getsAnotherAttempt(TaskRow task, JobType type) {
        return switch (task.state()) {
            case FAILED -> !task.failedForGood();
            case LOST, PREEMPTED -> true;
            case KILLED -> task.reason() == TaskReason.DRAINED || task.reason() == TaskReason.UPDATED;
            case FINISHED -> type == JobType.SERVICE;
            case PENDING, PLACED, RUNNING, STOPPING -> false;
        };
    }

    private void forget(TaskRow task) {
        remove(task.id());
        refusals.remove(task.id());
        if (task.state().isEnded()) {
            ends.remove(task.id());
        }
    }

    private void remove(TaskId task) {
        Due before = waiting.remove(task);
        if (before != null) {
            due.remove(before);
        }
    }

    private boolean isWaiting(TaskRow task) {
        Due already = waiting.get(task.id());
        return already != null && already.attempt == task.attempt();
    }

    private long delayMillis(TaskRow task, Restart policy) {
        long policyMillis = switch (task.state()) {
            case FAILED -> Backoff.grown(policy.delayMillis(), policy.delayMillisMax(), task.failures());
            case FINISHED -> Backoff.grown(policy.delayMillis(), policy.delayMillisMax(), countEnd(task));
            case LOST, PREEMPTED, KILLED -> backoffMillis(countEnd(task) - 1, task.id());
            case PENDING, PLACED, RUNNING, STOPPING -> 0;
        };
        return Math.max(policyMillis, backoffMillis(refusals.getOrDefault(task.id(), 0), task.id()));
    }

    private int countEnd(TaskRow task) {
        return ends.merge(task.id(), 1, Integer::sum);
    }

    private long backoffMillis(int times, TaskId task) {
        return times == 0 ? 0 : lost.afterMillis(times, Digests.mix(seed, task.index()));
    }

    private void add(Due next) {
        remove(next.task);
        waiting.put(next.task, next);
        due.add(next);
    }

    /** The steps whose time has come, at most so many. They are in flight until they are {@link #settled}. */
    List<Step> take(CellTime now, int max) {
        List<Step> steps = new ArrayList<>();
        while (steps.size() < max && !due.isEmpty() && due.first().at.compareTo(now) <= 0) {
            Due next = due.first();
            remove(next.task);
            inFlight.add(next.task);
            steps.add(new Step(Step.Kind.AGAIN, next.task, next.attempt));
        }
        return steps;
    }

    /** The view shows what became of the step; the task is to be looked at again. */
    void settled(TaskId task, boolean accepted) {
        inFlight.remove(task);
        if (!accepted) {
            refusals.merge(task, 1, Integer::sum);
        }
    }

    /** The job has ended, or is no longer ours. */
    void forget(JobId job) {
        due.removeIf(each -> each.task.job().equals(job));
        waiting.keySet().removeIf(task -> task.job().equals(job));
        ends.keySet().removeIf(task -> task.job().equals(job));
        refusals.keySet().removeIf(task -> task.job().equals(job));
    }

    /** When the next step is due. */
    Optional<CellTime> nextDue() {
        return due.isEmpty() ? Optional.empty() : Optional.of(due.first().at);
    }

    /** How many tasks wait for their next attempt. */
    int waiting() {
        return due.size();
    }
}
