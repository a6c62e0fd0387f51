package dev.cella.state.web.service;

import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.TaskUsage;
import dev.cella.client.proto.UsageTotal;
import dev.cella.state.core.Time;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What attempts take of their machines, as their agents measured it last: soft facts that only the leader keeps. They come
 * with the renewals of leases, so a new leader has them within seconds, and no decision uses them.
 *
 * <p>The sums over a job and over the cell run along with the reports: a report replaces the former one of its task in them,
 * the end of the attempt takes it out, and so does its age. So a sum costs the same for a job of one task and one of a
 * hundred thousand. The attempts of a machine that was lost leave the sums by their age.
 *
 * <p>Guarded by its own monitor.
 */
public final class UsageFacts {
    private static final Duration KEPT = Duration.ofSeconds(60);
    private static final int TASKS_MAX = 100_000;

    private record Heard(int attempt, UsageSum measured, TaskUsage usage, long atNanos) {}

    private final Time time;

    /** The oldest report first. */
    private final Map<TaskId, Heard> heard = new LinkedHashMap<>();

    private final Map<JobId, UsageSum> byJob = new HashMap<>();
    private UsageSum all = UsageSum.NONE;

    public UsageFacts(Time time) {
        this.time = time;
    }

    /** Keeps the reports about attempts that the view shows on a machine. */
    synchronized void put(CellView view, List<AttemptUsage> reports) {
        long now = time.monotonicNanos();
        for (AttemptUsage report : reports) {
            TaskId task = new TaskId(new JobId(report.getJobVersion()), report.getGroup(), report.getIndex());
            view.task(task)
                    .filter(row ->
                            row.attempt() == report.getAttempt() && row.state().isOnMachine())
                    .ifPresent(row -> hear(row, report.getUsage(), view.dimensions(), now));
        }
        forgetOld(now);
    }

    private void hear(TaskRow task, TaskUsage usage, Dimensions dimensions, long now) {
        forget(task.id());
        UsageSum measured = UsageSum.of(
                usage,
                task.resources().at(dimensions.find("cpuMilli")),
                task.resources().at(dimensions.find("memoryMib")));
        heard.put(task.id(), new Heard(task.attempt(), measured, usage, now));
        all = all.plus(measured);
        byJob.merge(task.id().job(), measured, UsageSum::plus);
    }

    private void forgetOld(long now) {
        var oldest = heard.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<TaskId, Heard> each = oldest.next();
            if (now - each.getValue().atNanos <= KEPT.toNanos() && heard.size() <= TASKS_MAX) {
                return;
            }
            oldest.remove();
            takeOut(each.getKey(), each.getValue());
        }
    }

    private void forget(TaskId task) {
        Heard former = heard.remove(task);
        if (former != null) {
            takeOut(task, former);
        }
    }

    private void takeOut(TaskId task, Heard former) {
        all = all.minus(former.measured);
        byJob.computeIfPresent(task.job(), (job, sum) -> {
            UsageSum left = sum.minus(former.measured);
            return left.tasks() == 0 ? null : left;
        });
    }

    /** The attempt has ended. */
    synchronized void ended(TaskId task, int attempt) {
        Heard last = heard.get(task);
        if (last != null && last.attempt == attempt) {
            forget(task);
        }
    }

    /** The usage of the task's current attempt. */
    synchronized Optional<TaskUsage> find(TaskRow task) {
        return current(task).map(Heard::usage);
    }

    private Optional<Heard> current(TaskRow task) {
        forgetOld(time.monotonicNanos());
        return Optional.ofNullable(heard.get(task.id()))
                .filter(each -> each.attempt == task.attempt() && task.state().isOnMachine());
    }

    /** The sum over the job's running attempts; empty if none of them was measured. */
    synchronized Optional<UsageTotal> ofJob(JobId job) {
        forgetOld(time.monotonicNanos());
        return Optional.ofNullable(byJob.get(job)).map(UsageSum::message);
    }

    /** The sum over the attempts on the machine in that slot; empty if none of them was measured. */
    synchronized Optional<UsageTotal> ofMachine(CellView view, int slot) {
        UsageSum[] sum = {UsageSum.NONE};
        view.forEachTaskOn(slot, task -> current(task).ifPresent(each -> sum[0] = sum[0].plus(each.measured)));
        return Optional.of(sum[0]).filter(measured -> measured.tasks() > 0).map(UsageSum::message);
    }

    /** The sum over the cell. */
    public synchronized UsageTotal total() {
        forgetOld(time.monotonicNanos());
        return all.message();
    }
}
