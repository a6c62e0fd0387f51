package dev.cella.state.web.service;

import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.TaskUsage;
import dev.cella.client.proto.UsageTotal;
import dev.cella.state.core.Time;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What attempts take of their machines, as their agents measured it last: soft facts that only the leader keeps. They come
 * with the renewals of leases, so a new leader has them within seconds, and no decision uses them.
 *
 * <p>Guarded by its own monitor.
 */
public final class UsageFacts {
    private static final Duration KEPT = Duration.ofSeconds(60);
    private static final Duration SUM_KEPT = Duration.ofSeconds(1);
    private static final int TASKS_MAX = 100_000;

    private record Heard(int attempt, TaskUsage usage, long atNanos) {}

    private final Time time;

    /** The oldest report first. */
    private final Map<TaskId, Heard> heard = new LinkedHashMap<>();

    /** The tasks of {@link #heard} by their jobs. */
    private final Map<JobId, Set<TaskId>> byJob = new HashMap<>();

    private UsageTotal sum = UsageTotal.getDefaultInstance();
    private OptionalLong summedNanos = OptionalLong.empty();

    public UsageFacts(Time time) {
        this.time = time;
    }

    synchronized void put(List<AttemptUsage> reports) {
        long now = time.monotonicNanos();
        for (AttemptUsage report : reports) {
            TaskId task = new TaskId(new JobId(report.getJobVersion()), report.getGroup(), report.getIndex());
            heard.remove(task);
            heard.put(task, new Heard(report.getAttempt(), report.getUsage(), now));
            byJob.computeIfAbsent(task.job(), job -> new LinkedHashSet<>()).add(task);
        }
        var oldest = heard.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<TaskId, Heard> each = oldest.next();
            if (!isOld(each.getValue(), now) && heard.size() <= TASKS_MAX) {
                break;
            }
            oldest.remove();
            forget(each.getKey());
        }
    }

    private void forget(TaskId task) {
        byJob.computeIfPresent(task.job(), (job, tasks) -> {
            tasks.remove(task);
            return tasks.isEmpty() ? null : tasks;
        });
    }

    private static boolean isOld(Heard each, long now) {
        return now - each.atNanos > KEPT.toNanos();
    }

    /** The usage of the task's current attempt. */
    synchronized Optional<TaskUsage> find(TaskRow task) {
        return Optional.ofNullable(heard.get(task.id()))
                .filter(each -> each.attempt == task.attempt() && task.state().isOnMachine())
                .filter(each -> !isOld(each, time.monotonicNanos()))
                .map(Heard::usage);
    }

    /** The sum over the job's running attempts; empty if none of them was measured. */
    Optional<UsageTotal> ofJob(CellView view, JobId job) {
        Sum of = new Sum(view);
        measured(job).forEach(task -> view.task(task).ifPresent(of::add));
        return of.total();
    }

    /** The sum over the attempts on the machine in that slot; empty if none of them was measured. */
    Optional<UsageTotal> ofMachine(CellView view, int slot) {
        Sum of = new Sum(view);
        view.forEachTaskOn(slot, of::add);
        return of.total();
    }

    /** The tasks of the job that were measured of late. */
    synchronized List<TaskId> measured(JobId job) {
        return List.copyOf(byJob.getOrDefault(job, Set.of()));
    }

    private synchronized List<TaskId> measured() {
        return new ArrayList<>(heard.keySet());
    }

    /** A sum over running attempts. */
    private final class Sum {
        private final CellView view;
        private final TaskUsage.Builder used = TaskUsage.newBuilder();
        private long tasks;
        private long cpuMilliAsked;
        private long memoryMibAsked;

        Sum(CellView view) {
            this.view = view;
        }

        void add(TaskRow task) {
            find(task).ifPresent(usage -> {
                tasks++;
                cpuMilliAsked += task.resources().at(view.dimensions().find("cpuMilli"));
                memoryMibAsked += task.resources().at(view.dimensions().find("memoryMib"));
                UsageFacts.add(usage, used);
            });
        }

        Optional<UsageTotal> total() {
            return tasks == 0
                    ? Optional.empty()
                    : Optional.of(UsageTotal.newBuilder()
                            .setTasks(tasks)
                            .setUsed(used)
                            .setCpuMilliAsked(cpuMilliAsked)
                            .setMemoryMibAsked(memoryMibAsked)
                            .build());
        }
    }

    private static void add(TaskUsage usage, TaskUsage.Builder sum) {
        sum.setCpuMilli(sum.getCpuMilli() + usage.getCpuMilli())
                .setCpuMilliMean(sum.getCpuMilliMean() + usage.getCpuMilliMean())
                .setMemoryMib(sum.getMemoryMib() + usage.getMemoryMib())
                .setDiskMib(sum.getDiskMib() + usage.getDiskMib())
                .setOutputBytesPerSecond(sum.getOutputBytesPerSecond() + usage.getOutputBytesPerSecond());
    }

    /**
     * The sum over the cell, at most one second old: a reading of the metrics asks for it several times, and many clients read
     * the cell.
     */
    public synchronized UsageTotal total(CellView view) {
        long now = time.monotonicNanos();
        if (summedNanos.isEmpty() || now - summedNanos.getAsLong() > SUM_KEPT.toNanos()) {
            Sum all = new Sum(view);
            measured().forEach(task -> view.task(task).ifPresent(all::add));
            sum = all.total().orElse(UsageTotal.getDefaultInstance());
            summedNanos = OptionalLong.of(now);
        }
        return sum;
    }
}
