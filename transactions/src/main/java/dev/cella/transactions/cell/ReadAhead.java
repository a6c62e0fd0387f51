package dev.cella.transactions.cell;

import dev.cella.transactions.model.Transaction;

/**
 * Reads a little of every row that a transaction is about to touch, before the first is decided on.
 *
 * <p>Claims go anywhere in a large cell. A row that is in none of the processor's caches takes as long to arrive as the
 * claim takes to decide, and decided one by one they would each be waited for. Asked for in a loop that does nothing else,
 * they arrive side by side: a claim among 50,000 machines then costs little more than among 1,000.
 *
 * <p>Changes nothing, and nothing depends on what it has read. Owned by the thread that reads the tables.
 */
final class ReadAhead {
    private final Tables tables;

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
        return tables.machines.exists(slot) ? tables.machines.slack(slot, 0) : 0;
    }

    private long lastTask(int slot) {
        int row = tables.machines.exists(slot) ? tables.machines.firstTask(slot) : TaskTable.NO_ROW;
        return row == TaskTable.NO_ROW ? 0 : tables.tasks.nextOnMachine(row);
    }
}
