package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/**
 * Looks at the running tasks of one cell, and copies those that take much longer than the others of their group (3.4,
 * "Straggler Detection"). The first to finish of a task and its copy ends the other. Belongs to one plan and its thread.
 */
final class StragglerRound {
    private static final Stragglers STRAGGLERS = new Stragglers(0.5);

    /** Nobody reports how much of its input a task has processed. It is expected to run as long again as it has run. */
    private static final double PROGRESS = 0.5;

    /** The others say how long a task of the group takes once this part of them is done. */
    private static final double DONE_PART = 0.5;

    private final PlanningView cell;
    private final EstimatedRuns runs;
    private final MachineForecasts forecasts;
    private final SplittableRandom random;

    StragglerRound(PlanningView cell, EstimatedRuns runs, MachineForecasts forecasts, SplittableRandom random) {
        this.cell = cell;
        this.runs = runs;
        this.forecasts = forecasts;
        this.random = random;
    }

    /** Copies the stragglers of the jobs that this memory knows. */
    void copy(ApolloMemory memory) {
        for (JobKey job : memory.jobs().keySet()) {
            if (job.cell() == cell.place()) {
                cell.view()
                        .job(job.id())
                        .filter(row -> row.header().type() == JobType.BATCH && !row.isStopped() && !row.isEnded())
                        .ifPresent(this::copy);
            }
        }
    }

    private void copy(JobRow job) {
        for (GroupRow group : job.groups()) {
            OptionalDouble seconds = runs.finishedSeconds(job, group.place());
            if (seconds.isPresent() && isNearItsEnd(group)) {
                copy(group, seconds.getAsDouble());
            }
        }
    }

    private static boolean isNearItsEnd(GroupRow group) {
        int count = group.header().count();
        return !group.isOfCopies()
                && group.onMachines() > 0
                && group.pending() == 0
                && count - group.onMachines() >= DONE_PART * count;
    }

    private void copy(GroupRow group, double seconds) {
        List<TaskRow> slow = slow(group, seconds);
        if (slow.isEmpty()) {
            return;
        }
        double rerunSeconds = seconds + waitSeconds(group, seconds);
        for (TaskRow task : slow) {
            if (needsCopy(task, rerunSeconds) && cell.mayCopy(task)) {
                cell.copy(task);
            }
        }
    }

    /** The tasks that had no copy and need one if it does not wait. Most groups have none, and need no look at machines. */
    private List<TaskRow> slow(GroupRow group, double seconds) {
        List<TaskRow> slow = new ArrayList<>();
        for (int index = 0; index < group.header().count(); index++) {
            if (cell.view().taskState(group, index) == TaskState.RUNNING && !hadCopy(group, index)) {
                TaskRow task = cell.view().task(group, index);
                if (needsCopy(task, seconds)) {
                    slow.add(task);
                }
            }
        }
        return slow;
    }

    private boolean needsCopy(TaskRow task, double rerunSeconds) {
        return STRAGGLERS.needsCopy(runs.elapsedSeconds(task), PROGRESS, rerunSeconds);
    }

    /** A task whose copy failed gets no other one: it would probably fail as well. */
    private static boolean hadCopy(GroupRow group, int index) {
        GroupRow copies = group.copies().orElse(null);
        for (int copy = 0; copies != null && copy < copies.header().count(); copy++) {
            if (copies.copied(copy) == index) {
                return true;
            }
        }
        return false;
    }

    /** How long a copy should wait: on the better one of two machines. */
    private double waitSeconds(GroupRow group, double seconds) {
        LightMachines light = new LightMachines(
                cell.slots().toArray(),
                1,
                machine -> cell.mayWait(group, machine),
                machine -> cell.fits(machine, group.header().shape()) && forecasts.isQueueEmpty(machine),
                random);
        if (light.count() == 0) {
            return EstimatedRuns.FOREVER_SECONDS;
        }
        Load load = runs.load(group, seconds);
        IntSupplier draws = light.draws(random);
        return Math.min(forecasts.waitSeconds(draws.getAsInt(), load), forecasts.waitSeconds(draws.getAsInt(), load));
    }
}
