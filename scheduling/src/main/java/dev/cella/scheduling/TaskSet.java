package dev.cella.scheduling;

import dev.cella.transactions.cell.GroupRow;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** A set of tasks, dense in the indexes of a group. Belongs to one thread. */
public final class TaskSet {
    private record Group(long job, int place) {}

    private static final int NONE = -1;
    private static final BitSet EMPTY = new BitSet();

    private final Map<Group, BitSet> groups = new HashMap<>();

    public void add(long job, int group, int index) {
        groups.computeIfAbsent(new Group(job, group), key -> new BitSet()).set(index);
    }

    public void remove(long job, int group, int index) {
        Group key = new Group(job, group);
        BitSet indexes = groups.get(key);
        if (indexes != null) {
            indexes.clear(index);
            if (indexes.isEmpty()) {
                groups.remove(key);
            }
        }
    }

    /** The first pending task of the group from index {@code from} on that is not in this set, or -1. */
    public int nextPendingBeside(GroupRow group, int from) {
        return next(group, indexes(group), from);
    }

    /** How many tasks of the group are pending and not in this set. */
    public int pendingBeside(GroupRow group) {
        BitSet indexes = indexes(group);
        int count = 0;
        for (int index = next(group, indexes, 0); index != NONE; index = next(group, indexes, index + 1)) {
            count++;
        }
        return count;
    }

    private BitSet indexes(GroupRow group) {
        return groups.getOrDefault(new Group(group.job().id().version(), group.place()), EMPTY);
    }

    private static int next(GroupRow group, BitSet indexes, int from) {
        int index = group.nextPending(from);
        while (index != NONE && indexes.get(index)) {
            index = group.nextPending(indexes.nextClearBit(index));
        }
        return index;
    }
}
