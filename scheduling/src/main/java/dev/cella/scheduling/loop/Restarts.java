package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.TaskRow;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides which tasks get another attempt, and when. A FAILED task gets one after the delay of its group's restart policy,
 * which doubles with each failure up to the policy's limit; so does a FINISHED task of a service. A task that was lost,
 * preempted, drained or replaced gets one at once, and after a small growing delay if it keeps being lost: if it is lost again
 * before it ran for as long as the longest such delay. A lost task that
 * must never run twice ({@code onLost: wait}) waits for its machine. The cell decides whether a task has failed for good, and
 * {@link GangRestarts} decides which tasks run again together. Owned by {@link SchedulerLoop}.
 */
final class Restarts {
    private record Due(CellTime at, Step step) {
        TaskId task() {
            return step.task();
        }
    }

    private static final Comparator<Due> ORDER = Comparator.comparing(Due::at)
            .thenComparing(due -> due.task().job().version())
            .thenComparing(due -> due.task().group())
            .thenComparing(due -> due.task().index());

    private final RetryBackoff lost;
    private final long seed;
    private final TreeSet<Due> due = new TreeSet<>(ORDER);
    private final Map<TaskId, Due> waiting = new HashMap<>();
    private final Map<TaskId, Step> inFlight = new HashMap<>();
    private final Map<Integer, Set<TaskId>> awaitingMachine = new HashMap<>();
    /** The machine that a task awaits. */
    private final Map<TaskId, Integer> awaited = new HashMap<>();

    private final GangRestarts gangs = new GangRestarts();
    private final Map<TaskId, Integer> ends = new HashMap<>();
    private final Map<TaskId, Integer> refusals = new HashMap<>();

    /** The tasks of each job about which anything above is remembered, and perhaps some more. */
    private final Map<JobId, Set<TaskId>> byJob = new HashMap<>();

    Restarts(RetryBackoff lost, long seed) {
        this.lost = lost;
        this.seed = seed;
    }

    /**
     * The row of the task has changed at {@code now}: schedules its next attempt if it gets one, and otherwise forgets it.
     */
    void look(TaskRow task, GroupRow group, CellView view, CellTime now) {
        if (inFlight.containsKey(task.id())) {
            return;
        }
        boolean isOfTheGroup = task.id().index() < group.header().count();
        boolean again =
                isOfTheGroup && getsAnotherAttempt(task, group.job().header().type());
        if (again && view.waitsForMachine(task.id())) {
            awaitingMachine
                    .computeIfAbsent(task.machine().orElseThrow(), slot -> new LinkedHashSet<>())
                    .add(task.id());
            awaited.put(task.id(), task.machine().orElseThrow());
            remember(task.id());
        }
        if (group.header().restartsAll()) {
            gangs.look(task, group, again);
        } else if (!again) {
            forget(task);
        } else if (!isWaiting(task) && !view.waitsForMachine(task.id())) {
            runAgain(List.of(task), group, now);
        }
    }

    /** Tasks that must wait until this machine is back or known to be gone. Look at them when it changes. */
    Set<TaskId> awaiting(int machine) {
        Set<TaskId> awaiting =
                Optional.ofNullable(awaitingMachine.remove(machine)).orElse(Set.of());
        awaiting.forEach(task -> awaited.remove(task, machine));
        return awaiting;
    }

    /**
     * Call this when all tasks that an event touched have been looked at. Decides about gangs that restart as a whole.
     */
    void lookAtGangs(CellView view, CellTime now) {
        for (GroupRow group : gangs.take(view)) {
            GangRestarts.Next next = gangs.next(group, view);
            next.steps().stream()
                    .filter(step -> !inFlight.containsKey(step.task()))
                    .forEach(step -> add(new Due(now.plusMillis(refusedMillis(step.task())), step)));
            runAgain(
                    next.again().stream()
                            .filter(task -> !inFlight.containsKey(task.id()) && !isWaiting(task))
                            .toList(),
                    group,
                    now);
        }
    }

    /** Restarts all of them at the same time, when the delay of each is over. */
    private void runAgain(List<TaskRow> tasks, GroupRow group, CellTime now) {
        long delayMillis = tasks.stream()
                .mapToLong(task -> delayMillis(task, group.header().restart()))
                .max()
                .orElse(0);
        for (TaskRow task : tasks) {
            add(new Due(now.plusMillis(delayMillis), new Step(Step.Kind.AGAIN, task.id(), task.attempt())));
        }
    }

    /** A copy has one attempt: the task that it copies goes on without it. */
    static boolean getsAnotherAttempt(TaskRow task, JobType type) {
        if (task.isCopy()) {
            return false;
        }
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
        if (!ends.containsKey(task.id()) && !awaited.containsKey(task.id())) {
            byJob.computeIfPresent(task.id().job(), (job, tasks) -> {
                tasks.remove(task.id());
                return tasks.isEmpty() ? null : tasks;
            });
        }
    }

    private void remember(TaskId task) {
        byJob.computeIfAbsent(task.job(), job -> new HashSet<>()).add(task);
    }

    private void remove(TaskId task) {
        Due before = waiting.remove(task);
        if (before != null) {
            due.remove(before);
        }
    }

    private boolean isWaiting(TaskRow task) {
        Due already = waiting.get(task.id());
        return already != null && already.step.kind() == Step.Kind.AGAIN && already.step.attempt() == task.attempt();
    }

    private long delayMillis(TaskRow task, Restart policy) {
        long policyMillis = switch (task.state()) {
            case FAILED -> RetryBackoff.grown(policy.delayMillis(), policy.delayMillisMax(), task.failures());
            case FINISHED -> RetryBackoff.grown(policy.delayMillis(), policy.delayMillisMax(), countEnd(task));
            case LOST, PREEMPTED, KILLED -> backoffMillis(countLoss(task) - 1, task.id());
            case PENDING, PLACED, RUNNING, STOPPING -> 0;
        };
        return Math.max(policyMillis, refusedMillis(task.id()));
    }

    private long refusedMillis(TaskId task) {
        return backoffMillis(refusals.getOrDefault(task, 0), task);
    }

    private int countLoss(TaskRow task) {
        if (ranLong(task)) {
            ends.remove(task.id());
        }
        return countEnd(task);
    }

    private boolean ranLong(TaskRow task) {
        return task.startedAtMillis().isPresent()
                && task.endedAtMillis().isPresent()
                && task.endedAtMillis().getAsLong() - task.startedAtMillis().getAsLong() >= lost.delayMillisMax();
    }

    private int countEnd(TaskRow task) {
        remember(task.id());
        return ends.merge(task.id(), 1, Integer::sum);
    }

    private long backoffMillis(int times, TaskId task) {
        return times == 0 ? 0 : lost.afterMillis(times, Digests.mix(seed, task.index()));
    }

    private void add(Due next) {
        remove(next.task());
        remember(next.task());
        waiting.put(next.task(), next);
        due.add(next);
    }

    /** The steps whose time has come, at most {@code max}. They are in flight until they are {@link #settled}. */
    List<Step> take(CellTime now, int max) {
        List<Step> steps = new ArrayList<>();
        while (steps.size() < max && !due.isEmpty() && due.first().at.compareTo(now) <= 0) {
            Due next = due.first();
            remove(next.task());
            inFlight.put(next.task(), next.step());
            steps.add(next.step());
        }
        return steps;
    }

    /**
     * The view shows the result of the step, so the task must be looked at again. If it is a step of a plan, another step of the
     * task may be in flight since the view showed that result.
     */
    void settled(Step step, boolean accepted) {
        boolean isOwn = inFlight.remove(step.task(), step);
        if (isOwn && !accepted) {
            remember(step.task());
            refusals.merge(step.task(), 1, Integer::sum);
        }
    }

    /** Drops a job that has ended or is no longer ours. */
    void forget(JobId job) {
        gangs.forget(job);
        Set<TaskId> tasks = byJob.remove(job);
        if (tasks != null) {
            tasks.forEach(this::forget);
        }
    }

    private void forget(TaskId task) {
        remove(task);
        ends.remove(task);
        refusals.remove(task);
        Integer machine = awaited.remove(task);
        if (machine != null) {
            awaitingMachine.computeIfPresent(machine, (slot, tasks) -> {
                tasks.remove(task);
                return tasks.isEmpty() ? null : tasks;
            });
        }
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
