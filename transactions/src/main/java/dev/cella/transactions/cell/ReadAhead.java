package dev.cella.transactions.cell;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Transaction;

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
    private int count;

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

    // ---- tasks that are about to end: at most so many are noted, and then read

    void note(Command.ReportTask report) {
        JobRow job = tables.jobs.find(report.jobVersion());
        if (job != null && report.group() < job.groupCount()) {
            note(job.group(report.group()).row(report.index()));
        }
    }

    void note(int row) {
        if (row != TaskTable.NO_ROW) {
            rows[count++] = row;
        }
    }

    /** The noted tasks, their machines, and their neighbours in the machines' lists. */
    void noted() {
        long sum = read;
        for (int place = 0; place < count; place++) {
            sum += tables.tasks.changedVersion(rows[place]);
        }
        for (int place = 0; place < count; place++) {
            sum += machine(tables.tasks.machine(rows[place]));
        }
        for (int place = 0; place < count; place++) {
            sum += tables.tasks.readNeighbours(rows[place]);
        }
        read = sum;
        count = 0;
    }
}
