package dev.cella.scheduler.batch.megha;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The turns of a global master: which cell's partition it looks in first for the next task. And its repartitions.
 *
 * @param nextInternal moves on with the tasks that went to its own partitions
 * @param nextExternal moves on with the repartitions
 * @param repartitions by the place of the cell: the tasks that went to partitions of other instances
 */
record MeghaMemory(int nextInternal, int nextExternal, List<Long> repartitions) {
    static final MeghaMemory START = new MeghaMemory(0, 0, List.of());

    MeghaMemory {
        repartitions = List.copyOf(repartitions);
    }

    long repartitions(int cell) {
        return cell < repartitions.size() ? repartitions.get(cell) : 0;
    }

    /** The same after other turns and these repartitions. */
    MeghaMemory after(int internal, int external, long[] more) {
        List<Long> sums = new ArrayList<>(Collections.nCopies(Math.max(more.length, repartitions.size()), 0L));
        for (int cell = 0; cell < sums.size(); cell++) {
            sums.set(cell, repartitions(cell) + (cell < more.length ? more[cell] : 0));
        }
        return new MeghaMemory(internal, external, sums);
    }
}
