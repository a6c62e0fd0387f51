package dev.cella.scheduling;

import dev.cella.transactions.cell.GroupRow;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A set of tasks, dense in the indexes of a group. Belongs to one thread. */
public final class TaskSet {
    private record Group(long job, int place) {}

    private static final int NONE = -1;

    private final Map<Group, BitSet> groups = new HashMap<>();
    private Group last = new Group(0, NONE);
    private @Nullable BitSet indexesOfLast;

    public void add(long job, int group, int index) {
        BitSet indexes = indexes(job, group);
        if (indexes == null) {
            indexes = new BitSet();
            indexesOfLast = indexes;
            groups.put(last, indexes);
        }
        indexes.set(index);
    }

    public void remove(long job, int group, int index) {
        BitSet indexes = indexes(job, group);
        if (indexes != null) {
            indexes.clear(index);
            if (indexes.isEmpty()) {
                groups.remove(last);
                indexesOfLast = null;
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

    private @Nullable BitSet indexes(GroupRow group) {
        return indexes(group.job().id().version(), group.place());
    }

    /** The group asked for last is remembered: a plan goes through the tasks of one group after another. */
    private @Nullable BitSet indexes(long job, int group) {
        if (last.job != job || last.place != group) {
            last = new Group(job, group);
            indexesOfLast = groups.get(last);
        }
        return indexesOfLast;
    }

    private static int next(GroupRow group, @Nullable BitSet indexes, int from) {
        int index = group.nextPending(from);
        while (index != NONE && indexes != null && indexes.get(index)) {
            index = group.nextPending(indexes.nextClearBit(index));
        }
        return index;
    }
}
