package dev.cella.transactions.cell;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a little of every row that commands are about to touch, before they touch the first.
 *
 * <p>Claims and ends go anywhere in a large cell. A row that is in none of the processor's caches takes as long to arrive
 * as the claim takes to decide, and taken one by one they would each be waited for. Asked for in a loop that does nothing
 * else, they arrive side by side: a claim among 50,000 machines then costs little more than among 10,000.
 *
 * <p>Changes nothing, and nothing depends on what it has read. Owned by the thread that reads the tables.
 */
final class ReadAhead {
    /** Tasks that are read ahead at once: few enough that the first are still there when the last has come. */
    static final int TASKS = 64;

    private final Tables tables;
    private final int[] rows = new int[TASKS];

    /** Something of everything that was read, so that no compiler finds the reading useless. */
    private long read;

    ReadAhead(Tables tables) {
        this.tables = tables;
    }

    /** The machines that its claims want first, then the task that came last to each, which is the next one's neighbour. */
    void claims(Transaction transaction) {
        long sum = read;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            sum += machine(transaction.machine(claim));
        }
        for (int claim = 0; claim < transaction.claims(); claim++) {
            sum += lastTask(transaction.machine(claim));
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

    // ---- tasks that are about to end: no more of them at once than TASKS

    /** Those of the commands that report of a task: its row, and what is to be read with it. */
    void reports(@Nullable Command[] commands) {
        int count = 0;
        for (Command command : commands) {
            if (command instanceof Command.ReportTask report) {
                int row = tables.findRow(report.jobVersion(), report.group(), report.index());
                rows[count] = row;
                count += row == TaskTable.NO_ROW ? 0 : 1;
            }
        }
        tasks(rows, count);
    }

    /** The rows of tasks, and what is to be read with them. */
    void tasks(int[] of, int count) {
        TaskTable tasks = tables.tasks;
        long sum = read;
        for (int place = 0; place < count; place++) {
            sum += tasks.changedVersion(of[place]);
        }
        read = sum;
        machines(of, count);
    }

    /** The machines of tasks that were read before, then the tasks' neighbours in the machines' lists. */
    void machines(int[] of, int count) {
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
