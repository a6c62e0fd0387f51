package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.apollo.ApolloMemory.SentTasks;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Looks at the tasks of one cell that wait in queues, and decides again about those that wait longer than they should: such a
 * task gets one more row on a better machine (3.4, "Duplicate Scheduling"). The first row to start wins. Belongs to one plan
 * and its thread.
 */
final class CorrectionRound {
    /** Another row is worth its cost if the task should wait there less than this part of the time. */
    private static final double WORTHWHILE_PART = 0.5;

    private final PlanningView cell;
    private final MachineForecasts forecasts;
    private final CellTime now;
    private final SplittableRandom random;
    private final Map<GroupRow, LightMachines> machines = new HashMap<>();

    CorrectionRound(PlanningView cell, MachineForecasts forecasts, CellTime now, SplittableRandom random) {
        this.cell = cell;
        this.forecasts = forecasts;
        this.now = now;
        this.random = random;
    }

    /** Corrects the tasks of the memory that wait here. Returns the memory without those that do not wait any more. */
    Map<JobKey, SentTasks> correct(ApolloMemory memory) {
        Map<JobKey, SentTasks> left = new LinkedHashMap<>();
        Set<SentTask> recent = memory.recentIn(cell.place()).all().collect(Collectors.toSet());
        memory.jobs().forEach((job, sent) -> {
            if (job.cell() != cell.place()) {
                left.put(job, sent);
            } else if (cell.view().job(job.id()).filter(row -> !row.isEnded()).isPresent()) {
                left.put(job, correct(sent, recent));
            }
        });
        return left;
    }

    private SentTasks correct(SentTasks sent, Set<SentTask> recent) {
        return sent.only(task -> {
            Optional<GroupRow> group = task.group(cell.view());
            List<QueueRow> rows = group.map(
                            each -> cell.view().queuedAt(each, task.task().index()))
                    .orElse(List.of());
            if (!rows.isEmpty()) {
                correct(
                        task,
                        group.orElseThrow(),
                        rows,
                        sent.averageSeconds(task.task().group()));
            }
            return !rows.isEmpty() || recent.contains(task);
        });
    }

    private void correct(SentTask task, GroupRow group, List<QueueRow> rows, double averageSeconds) {
        DeferredCorrection correction = DeferredCorrection.ofRun(task.load().seconds());
        double updated = rows.stream().mapToDouble(forecasts::waitSeconds).min().orElseThrow();
        boolean isDue = rows.size() < QueueRow.ROWS_A_TASK_MAX
                && correction
                        .reason(task.expectedSeconds(), updated, task.secondsSince(now), averageSeconds)
                        .isPresent();
        if (isDue) {
            queueElsewhere(task, group, rows, WORTHWHILE_PART * updated);
        }
    }

    /** Queues the task a second time, on a machine where it should wait less than that. */
    private void queueElsewhere(SentTask task, GroupRow group, List<QueueRow> rows, double belowSeconds) {
        LightMachines known = machines.computeIfAbsent(group, this::lightMachines);
        if (known.count() == 0) {
            return;
        }
        IntSupplier draws = known.draws(random);
        int machine = lighter(draws.getAsInt(), draws.getAsInt(), task.load());
        boolean isOther = rows.stream().noneMatch(row -> row.slot() == machine);
        if (isOther && forecasts.waitSeconds(machine, task.load()) < belowSeconds) {
            cell.queue(group, task.task().index(), machine);
            forecasts.queue(machine, task.load());
        }
    }

    private int lighter(int one, int other, Load load) {
        return forecasts.waitSeconds(other, load) < forecasts.waitSeconds(one, load) ? other : one;
    }

    private LightMachines lightMachines(GroupRow group) {
        return new LightMachines(
                cell.slots().toArray(),
                (int) group.queued().count(),
                machine -> cell.mayWait(group, machine) && forecasts.takesRow(machine),
                machine -> cell.fits(machine, group.header().shape()) && forecasts.isQueueEmpty(machine),
                random);
    }
}
