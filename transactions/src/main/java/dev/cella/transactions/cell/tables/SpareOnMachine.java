package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * The spare tasks of one machine, the youngest first, as a decision or a command has changed them so far. The rule that decides
 * and the command that applies choose with the same {@link #makeRoom}, so they cannot disagree about who ends.
 */
final class SpareOnMachine {
    /** Stands for the row of a task that the current transaction claims and that has no row yet. */
    static final int DRAFTED = -1;

    /** One spare task. It uses its amounts until it leaves the list. */
    private static final class Entry {
        private final int row;
        private final int ordinal;
        private final Amounts amounts;
        private boolean isEnding;
        private boolean yields;

        Entry(int row, int ordinal, Amounts amounts) {
            this.row = row;
            this.ordinal = ordinal;
            this.amounts = amounts;
        }
    }

    private final List<Entry> youngestFirst = new ArrayList<>();

    static SpareOnMachine of(Tables tables, int slot) {
        SpareOnMachine on = new SpareOnMachine();
        for (int row : tables.spare.on(slot)) {
            Entry entry = new Entry(row, tables.tasks.ordinal(row), tables.tasks.shape(row));
            entry.isEnding = tables.tasks.state(row) == TaskState.STOPPING;
            entry.yields = tables.tasks.yieldsToVersion(row) != 0;
            on.youngestFirst.add(entry);
        }
        return on;
    }

    /** The rows of those that have rows by now. */
    List<Integer> rows() {
        return youngestFirst.stream()
                .map(entry -> entry.row)
                .filter(row -> row != DRAFTED)
                .toList();
    }

    long used(int dimension) {
        long used = 0;
        for (Entry entry : youngestFirst) {
            used += entry.amounts.at(dimension);
        }
        return used;
    }

    /** Adds a claim of the current transaction, which is younger than every task that is there. */
    void add(int ordinal, Amounts amounts) {
        int place = 0;
        while (place < youngestFirst.size()
                && youngestFirst.get(place).row == DRAFTED
                && youngestFirst.get(place).ordinal > ordinal) {
            place++;
        }
        youngestFirst.add(place, new Entry(DRAFTED, ordinal, amounts));
    }

    /** The task is no spare task any more. */
    void leave(int row) {
        youngestFirst.removeIf(entry -> entry.row == row);
    }

    /** The task was told to end, for a claim or for none. */
    void end(int row, boolean forClaim) {
        for (Entry entry : youngestFirst) {
            if (entry.row == row) {
                entry.isEnding = true;
                entry.yields |= forClaim;
            }
        }
    }

    /**
     * Chooses who ends so that spare tasks do not use more than is free: first those that end already, then the youngest. A
     * task that yields to a claim counts no more, because its room belongs to that claim. Returns their rows, or {@link
     * #DRAFTED}; {@code atOnce}: they leave the machine now, because no agent has to report their end.
     */
    List<Integer> makeRoom(int dimensions, IntToLongFunction free, boolean atOnce) {
        long[] over = new long[dimensions];
        boolean isOver = false;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            over[dimension] = -free.applyAsLong(dimension);
            for (Entry entry : youngestFirst) {
                over[dimension] += entry.yields ? 0 : entry.amounts.at(dimension);
            }
            isOver |= over[dimension] > 0;
        }
        List<Entry> chosen = new ArrayList<>();
        if (isOver) {
            choose(over, true, chosen);
            choose(over, false, chosen);
        }
        if (atOnce) {
            youngestFirst.removeAll(chosen);
        }
        return chosen.stream().map(entry -> entry.row).toList();
    }

    private void choose(long[] over, boolean ending, List<Entry> chosen) {
        for (Entry entry : youngestFirst) {
            if (entry.isEnding == ending && !entry.yields && helps(entry, over)) {
                for (int dimension = 0; dimension < over.length; dimension++) {
                    over[dimension] -= entry.amounts.at(dimension);
                }
                entry.yields = true;
                chosen.add(entry);
            }
        }
        chosen.forEach(entry -> entry.isEnding = true);
    }

    private static boolean helps(Entry entry, long[] over) {
        for (int dimension = 0; dimension < over.length; dimension++) {
            if (over[dimension] > 0 && entry.amounts.at(dimension) > 0) {
                return true;
            }
        }
        return false;
    }
}
