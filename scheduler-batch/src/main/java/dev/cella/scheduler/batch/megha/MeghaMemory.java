package dev.cella.scheduler.batch.megha;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The turns of a global master: which cell's partition it looks in first for the next task. And its repartitions.
 *
 * @param nextInternal moves on with the tasks that went to its own partitions
 * @param nextExternal moves on with the repartitions
 * @param repartitions by the place of the cell: the tasks that went to partitions of other instances
 * @param views by the place of the cell: what it knows of other cells, if they send heartbeats
 * @param uses by the place of the cell: what its jobs had there when it last counted that
 */
record MeghaMemory(
        int nextInternal,
        int nextExternal,
        List<Long> repartitions,
        Map<Integer, StaleView> views,
        Map<Integer, JobUses> uses) {
    static final MeghaMemory START = new MeghaMemory(0, 0, List.of(), Map.of(), Map.of());

    MeghaMemory {
        repartitions = List.copyOf(repartitions);
        views = Map.copyOf(views);
        uses = Map.copyOf(uses);
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
        return new MeghaMemory(internal, external, sums, newer, uses);
    }

    JobUses usesIn(int cell) {
        return uses.getOrDefault(cell, JobUses.NONE);
    }

    MeghaMemory withUses(int cell, JobUses counted) {
        Map<Integer, JobUses> others = new HashMap<>(uses);
        others.put(cell, counted);
        return new MeghaMemory(nextInternal, nextExternal, repartitions, views, others);
    }
}
