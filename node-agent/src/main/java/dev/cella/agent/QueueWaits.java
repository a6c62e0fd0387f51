package dev.cella.agent;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.waits.QueueForecast;
import dev.cella.transactions.waits.QueueForecast.Load;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The wait-time matrix of one machine: what runs on it and what waits in its queue, played forward by estimated run times.
 * Amounts that are held for somebody count as if they were never free. Owned by the agent's loop.
 */
final class QueueWaits {
    /** The sizes of a matrix, as parts of the machine. */
    private static final long[] PARTS = {8, 4, 2, 1};

    private final RunEstimates estimates;

    QueueWaits(RunEstimates estimates) {
        this.estimates = estimates;
    }

    /** The matrix as of now. */
    WaitMatrix of(CellView view, int slot, long wallMillis) {
        int cpu = view.dimensions().find("cpuMilli");
        int memory = view.dimensions().find("memoryMib");
        long cpuMilli = view.free(slot, cpu);
        long memoryMib = view.free(slot, memory);
        List<Load> running = new ArrayList<>();
        for (TaskRow task : regularTasksOn(view, slot)) {
            Load load = new Load(
                    task.resources().at(cpu),
                    task.resources().at(memory),
                    estimates.leftSeconds(task, type(view, task.id()), wallMillis));
            running.add(load);
            cpuMilli += load.cpuMilli();
            memoryMib += load.memoryMib();
        }
        List<Load> queued = new ArrayList<>();
        for (QueueRow row : view.queueOn(slot)) {
            Amounts asked = row.group().header().shape();
            queued.add(new Load(
                    asked.at(cpu),
                    asked.at(memory),
                    estimates.wholeSeconds(row.task(), type(row.group().job()))));
        }
        return new QueueForecast(cpuMilli, memoryMib, running, queued)
                .matrix(0, sizes(view.capacity(slot, cpu)), sizes(view.capacity(slot, memory)));
    }

    /** Spare work ends when a row needs its room, which counts as free. */
    private static List<TaskRow> regularTasksOn(CellView view, int slot) {
        List<TaskRow> tasks = new ArrayList<>();
        view.forEachTaskOn(slot, task -> {
            if (!task.spare()) {
                tasks.add(task);
            }
        });
        return tasks;
    }

    private static JobType type(CellView view, TaskId task) {
        return view.job(task.job()).map(QueueWaits::type).orElse(JobType.BATCH);
    }

    private static JobType type(JobRow job) {
        return job.header().type();
    }

    private static long[] sizes(long capacity) {
        return LongStream.of(PARTS)
                .map(part -> capacity / part)
                .filter(size -> size > 0)
                .distinct()
                .toArray();
    }
}
