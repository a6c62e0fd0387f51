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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

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
        }
        var oldest = heard.values().iterator();
        while (oldest.hasNext() && (isOld(oldest.next(), now) || heard.size() > TASKS_MAX)) {
            oldest.remove();
        }
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

    /** The sum over the running attempts that are meant; empty if none of them was measured. */
    Optional<UsageTotal> total(CellView view, Predicate<TaskRow> meant) {
        long tasks = 0;
        long cpuMilliAsked = 0;
        long memoryMibAsked = 0;
        TaskUsage.Builder used = TaskUsage.newBuilder();
        for (TaskId id : measured()) {
            Optional<TaskRow> task = view.task(id).filter(meant);
            Optional<TaskUsage> usage = task.flatMap(this::find);
            if (task.isPresent() && usage.isPresent()) {
                tasks++;
                cpuMilliAsked += task.get().resources().at(view.dimensions().find("cpuMilli"));
                memoryMibAsked += task.get().resources().at(view.dimensions().find("memoryMib"));
                add(usage.get(), used);
            }
        }
        return tasks == 0
                ? Optional.empty()
                : Optional.of(UsageTotal.newBuilder()
                        .setTasks(tasks)
                        .setUsed(used)
                        .setCpuMilliAsked(cpuMilliAsked)
                        .setMemoryMibAsked(memoryMibAsked)
                        .build());
    }

    private synchronized List<TaskId> measured() {
        return new ArrayList<>(heard.keySet());
    }

    private static void add(TaskUsage usage, TaskUsage.Builder sum) {
        sum.setCpuMilli(sum.getCpuMilli() + usage.getCpuMilli())
                .setCpuMilliMean(sum.getCpuMilliMean() + usage.getCpuMilliMean())
                .setMemoryMib(sum.getMemoryMib() + usage.getMemoryMib())
                .setDiskMib(sum.getDiskMib() + usage.getDiskMib())
                .setOutputBytesPerSecond(sum.getOutputBytesPerSecond() + usage.getOutputBytesPerSecond());
    }

    /** The sum over the cell, at most one second old: a reading of the metrics asks for it several times. */
    public synchronized UsageTotal total(CellView view) {
        long now = time.monotonicNanos();
        if (summedNanos.isEmpty() || now - summedNanos.getAsLong() > SUM_KEPT.toNanos()) {
            sum = total(view, task -> true).orElse(UsageTotal.getDefaultInstance());
            summedNanos = OptionalLong.of(now);
        }
        return sum;
    }
}
