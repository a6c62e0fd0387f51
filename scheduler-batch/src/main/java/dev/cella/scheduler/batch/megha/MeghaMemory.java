package dev.cella.scheduler.batch.megha;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The turns of a global master: which cell's partition it looks in first for the next task. And its repartitions.
 *
 * @param nextInternal moves on with the tasks that went to its own partitions
 * @param nextExternal moves on with the repartitions
 * @param repartitions by the place of the cell: the tasks that went to partitions of other instances
 * @param views by the place of the cell: what it knows of other cells, if they send heartbeats
 */
record MeghaMemory(int nextInternal, int nextExternal, List<Long> repartitions, Map<Integer, StaleView> views) {
    static final MeghaMemory START = new MeghaMemory(0, 0, List.of(), Map.of());

    MeghaMemory {
        repartitions = List.copyOf(repartitions);
        views = Map.copyOf(views);
    }

    long repartitions(int cell) {
        return cell < repartitions.size() ? repartitions.get(cell) : 0;
    }

    /** The same after other turns and these repartitions, with other views. */
    MeghaMemory after(int internal, int external, long[] more, Map<Integer, StaleView> newer) {
        List<Long> sums = new ArrayList<>(Collections.nCopies(Math.max(more.length, repartitions.size()), 0L));
        for (int cell = 0; cell < sums.size(); cell++) {
            sums.set(cell, repartitions(cell) + (cell < more.length ? more[cell] : 0));
        }
        return new MeghaMemory(internal, external, sums, newer);
    }
}
