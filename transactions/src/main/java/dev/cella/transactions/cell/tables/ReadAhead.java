package dev.cella.transactions.cell.tables;

import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a little of every row that commands are about to touch, before they touch the first.
 *
 * <p>Claims and ends go anywhere in a large cell. A row that is in no cache of the processor takes as long to arrive as the
 * claim takes to decide, and one after another they would add up. A loop that does nothing but read lets them arrive in
 * parallel: then a claim among 50,000 machines costs little more than among 10,000.
 *
 * <p>A reader of frames tells it what a frame is about to change, before it tells the tables.
 *
 * <p>Changes nothing, and nothing depends on the values. Owned by the thread that reads the tables.
 */
public final class ReadAhead extends IgnoredChanges {
    /**
     * How many tasks are read ahead at once: few enough that the first is still in the cache when the last arrives.
     */
    public static final int TASKS = 64;

    private final Tables tables;
    private final int[] rows = new int[TASKS];

    /** Uses every value that was read, so that the compiler cannot remove the reads. */
    private long read;

    public ReadAhead(Tables tables) {
        this.tables = tables;
    }

    /**
     * Reads the machines that the claims want first, then the newest task on each, which becomes the next one's neighbour.
     */
    public void claims(Transaction transaction) {
        long sum = read;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            sum += machine(transaction.machine(claim));
        }
        for (int claim = 0; claim < transaction.claims(); claim++) {
            sum += lastTask(transaction.machine(claim));
        }
        read = sum;
    }

    /** The same for claims that were accepted elsewhere, before a frame applies them. */
    @Override
    public void tasksPlaced(long job, int group, GroupPlacements placed) {
        long sum = read;
        for (int place = 0; place < placed.count(); place++) {
            sum += machine(placed.slot(place));
        }
        for (int place = 0; place < placed.count(); place++) {
            sum += lastTask(placed.slot(place));
        }
        read = sum;
    }

    private long machine(int slot) {
        return tables.machines.exists(slot) ? tables.machines.readRow(slot) : 0;
    }

    private long lastTask(int slot) {
        int row = tables.machines.exists(slot) ? tables.machines.firstTask(slot) : TaskTable.NO_ROW;
        return row == TaskTable.NO_ROW ? 0 : tables.tasks.nextOnMachine(row);
    }

    // ---- tasks that are about to end: at most TASKS at once

    /** Reads ahead the tasks that the commands report about. */
    public void reports(@Nullable Command[] commands) {
        int count = 0;
        for (Command command : commands) {
            if (command instanceof Command.ReportTask report) {
                count += find(report, count);
            }
        }
        tasks(rows, count);
    }

    /** The same for reports of one command. */
    public void reports(List<Command.ReportTask> reports) {
        int count = 0;
        for (Command.ReportTask report : reports) {
            count += find(report, count);
        }
        tasks(rows, count);
    }

    /** The same for the tasks of steps that a frame is about to apply. */
    @Override
    public void tasksStepped(long job, int group, TaskSteps steps) {
        GroupRow of = tables.jobs.get(job).group(group);
        for (int from = 0; from < steps.count(); from += TASKS) {
            int count = 0;
            for (int place = from; place < Math.min(steps.count(), from + TASKS); place++) {
                int row = of.row(steps.index(place));
                rows[count] = row;
                count += row == TaskTable.NO_ROW ? 0 : 1;
            }
            tasks(rows, count);
        }
    }

    /** Puts the task's row at that place, if it has one. Answers how many rows that makes. */
    private int find(Command.ReportTask report, int place) {
        int row = tables.findRow(report.jobVersion(), report.group(), report.index());
        rows[place] = row;
        return row == TaskTable.NO_ROW ? 0 : 1;
    }

    /** Reads the rows of tasks, and then the rows that they refer to. */
    public void tasks(int[] of, int count) {
        TaskTable tasks = tables.tasks;
        long sum = read;
        for (int place = 0; place < count; place++) {
            sum += tasks.changedVersion(of[place]);
        }
        read = sum;
        machines(of, count);
    }

    /** The machines of tasks that were read before, then the tasks' neighbours in the machines' lists. */
    public void machines(int[] of, int count) {
        TaskTable tasks = tables.tasks;
        long sum = read;
        for (int place = 0; place < count; place++) {
            int slot = tasks.machine(of[place]);
            sum += slot == TaskTable.NO_MACHINE ? 0 : tables.machines.readRow(slot);
        }
        for (int place = 0; place < count; place++) {
            sum += tasks.readNeighbours(of[place]);
        }
        read = sum;
    }
}
