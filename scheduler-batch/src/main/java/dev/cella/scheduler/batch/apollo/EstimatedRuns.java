package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.apollo.ApolloMemory.SentTasks;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.Measure;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How long tasks run, as one plan estimates it: as the finished tasks of their group did, else as the estimate by which they
 * were sent, else as this scheduler's jobs do. Belongs to one plan and its thread.
 */
final class EstimatedRuns {
    /** The estimate for a task that does not end by itself: longer than anything else, and still a number. */
    static final double FOREVER_SECONDS = 365 * 24 * 3600;

    /** A task that runs longer than estimated is expected to run this part of its time more. */
    private static final double OVERRUN_PART = 0.1;

    private final PlanningView cell;
    private final Observations observations;
    private final ApolloMemory memory;
    private final double standardSeconds;
    private final long wallTimeMillis;
    private final int cpuMilli;
    private final int memoryMib;

    /** @param standardSeconds for a task of which nothing else is known */
    EstimatedRuns(PlanningView cell, PlanContext<ApolloMemory> context, double standardSeconds) {
        this.cell = cell;
        this.observations = context.observations();
        this.memory = context.memory();
        long sinceLastEntry =
                Math.max(0, context.now().millis() - cell.view().time().millis());
        this.wallTimeMillis = cell.view().wallTimeMillis() + sinceLastEntry;
        this.standardSeconds = standardSeconds;
        this.cpuMilli = cell.view().dimensions().find("cpuMilli");
        this.memoryMib = cell.view().dimensions().find("memoryMib");
    }

    /** A task of that group, which has not started. */
    Load load(JobRow job, int group) {
        return load(job.group(group).header().shape(), seconds(job, group));
    }

    Load queued(QueueRow row) {
        return load(row.group().job(), row.group().place());
    }

    /** The rest of a task on a machine. */
    Load running(TaskRow task) {
        return load(task.resources(), leftSeconds(task));
    }

    private Load load(Amounts amounts, double seconds) {
        return new Load(amounts.at(cpuMilli), amounts.at(memoryMib), seconds);
    }

    private double leftSeconds(TaskRow task) {
        if (task.state() == TaskState.STOPPING) {
            return 0;
        }
        double estimate = cell.view()
                .job(task.id().job())
                .map(job -> seconds(job, task.id().group()))
                .orElse(standardSeconds);
        double elapsed = elapsedSeconds(task);
        return Math.max(estimate - elapsed, OVERRUN_PART * elapsed);
    }

    /** A task of that group that runs that long. */
    Load load(GroupRow group, double seconds) {
        return load(group.header().shape(), seconds);
    }

    /** How long the finished tasks of the group ran, if any has finished. */
    OptionalDouble finishedSeconds(JobRow job, int group) {
        return observed(job, group).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    double elapsedSeconds(TaskRow task) {
        long started = task.startedAtMillis().orElse(wallTimeMillis);
        return Math.max(0, wallTimeMillis - started) / 1_000.0;
    }

    private double seconds(JobRow job, int group) {
        if (job.header().type() == JobType.SERVICE) {
            return FOREVER_SECONDS;
        }
        return observed(job, group).or(() -> sentSeconds(job, group)).orElse(standardSeconds);
    }

    /** Copies run as long as the tasks that they copy. */
    private Optional<Double> observed(JobRow job, int group) {
        String subject = job.name() + "/" + job.group(group).header().nameOfCopied();
        return observations.find(cell.place(), Measure.RUN_MILLIS, subject).map(observed -> observed.value() / 1_000.0);
    }

    private Optional<Double> sentSeconds(JobRow job, int group) {
        SentTasks sent = memory.of(new JobKey(cell.place(), job.id()));
        return Optional.ofNullable(sent.runSeconds().get(group));
    }
}
