package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.cell.pages.WordPages;
import java.util.Arrays;

/**
 * The tasks that ended on each machine and still have a row, the last that ended first. With it, a list of a machine's tasks
 * costs what that machine has, and not a walk over all tasks of the cell.
 *
 * <p>This follows from the rows of the tasks, so no digest covers it and no snapshot has it. The links are not in {@link
 * TaskRows}, because an end writes those of another row, whose page would go into the next checkpoint for nothing. Owned by the
 * thread that applies changes; copies do not have it.
 */
public final class EndedTasks {
    /** For each row, the next and the previous row in its machine's list, each plus 1. */
    private final WordPages links = new WordPages(1, TaskRows.ROW_BITS);

    /** By slot, the first row of the list plus 1, or 0. */
    private int[] firsts = new int[64];

    /** The row of the task that ended last on the machine, or {@link TaskRows#NO_ROW}. */
    public int first(int slot) {
        return slot < firsts.length ? firsts[slot] - 1 : TaskRows.NO_ROW;
    }

    /** The row of the task that ended on the same machine before that one, or {@link TaskRows#NO_ROW}. */
    public int next(int row) {
        return TaskRows.high(links.word(row, 0)) - 1;
    }

    private int previous(int row) {
        return TaskRows.low(links.word(row, 0)) - 1;
    }

    void add(int slot, int row) {
        if (slot >= firsts.length) {
            firsts = Arrays.copyOf(firsts, Math.max(slot + 1, 2 * firsts.length));
        }
        links.reach(row);
        int first = first(slot);
        link(row, first, TaskRows.NO_ROW);
        if (first != TaskRows.NO_ROW) {
            link(first, next(first), row);
        }
        firsts[slot] = row + 1;
    }

    void remove(int slot, int row) {
        int next = next(row);
        int previous = previous(row);
        checkInvariant(
                previous != TaskRows.NO_ROW || first(slot) == row, "task row %s did not end on machine %s", row, slot);
        if (next != TaskRows.NO_ROW) {
            link(next, next(next), previous);
        }
        if (previous == TaskRows.NO_ROW) {
            firsts[slot] = next + 1;
        } else {
            link(previous, next, previous(previous));
        }
        links.set(row, 0, 0);
    }

    private void link(int row, int next, int previous) {
        links.set(row, 0, TaskRows.both(next + 1, previous + 1));
    }
}
