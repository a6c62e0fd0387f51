package dev.cella.scheduling.host;

import dev.cella.transactions.cell.tables.GroupRow;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A set of claimed tasks and the machine of each claim, dense in the indexes of a group. Belongs to one thread. */
public final class TaskSet {
    private record Group(long job, int place) {}

    /** The tasks of one group that are in the set. */
    private static final class Claimed {
        final BitSet indexes = new BitSet();
        int[] machines = new int[16];

        void add(int index, int machine) {
            indexes.set(index);
            if (index >= machines.length) {
                machines = Arrays.copyOf(machines, Math.max(index + 1, 2 * machines.length));
            }
            machines[index] = machine;
        }
    }

    private static final int NONE = -1;

    private final Map<Group, Claimed> groups = new HashMap<>();
    private Group last = new Group(0, NONE);
    private @Nullable Claimed ofLast;

    /** An empty one, kept because groups come and go, and the next one needs the same room. */
    private @Nullable Claimed spare;

    public void add(long job, int group, int index, int machine) {
        Claimed claimed = claimed(job, group);
        if (claimed == null) {
            claimed = spare == null ? new Claimed() : spare;
            spare = null;
            ofLast = claimed;
            groups.put(last, claimed);
        }
        claimed.add(index, machine);
    }

    public void remove(long job, int group, int index) {
        Claimed claimed = claimed(job, group);
        if (claimed != null) {
            claimed.indexes.clear(index);
            if (claimed.indexes.isEmpty()) {
                groups.remove(last);
                ofLast = null;
                spare = claimed;
            }
        }
    }

    /** The first pending task of the group from index {@code from} on that waits in no queue and is not in this set, or -1. */
    public int nextPendingBeside(GroupRow group, int from) {
        return next(group, claimed(group), from);
    }

    /** How many tasks of the group are pending, wait in no queue and are not in this set. */
    public int pendingBeside(GroupRow group) {
        Claimed claimed = claimed(group);
        if (claimed == null) {
            return group.toPlan();
        }
        int count = 0;
        for (int index = next(group, claimed, 0); index != NONE; index = next(group, claimed, index + 1)) {
            count++;
        }
        return count;
    }

    /**
     * Visits the machine of each task of the group that is in this set, if the group still shows the task pending.
     */
    public void forEachMachineOfPending(GroupRow group, IntConsumer machine) {
        Claimed claimed = claimed(group);
        if (claimed != null) {
            claimed.indexes.stream().filter(group::isPending).forEach(index -> machine.accept(claimed.machines[index]));
        }
    }

    private @Nullable Claimed claimed(GroupRow group) {
        return claimed(group.job().id().version(), group.place());
    }

    /** Remembers the last group, because a plan goes through the tasks of one group after another. */
    private @Nullable Claimed claimed(long job, int group) {
        if (last.job != job || last.place != group) {
            last = new Group(job, group);
            ofLast = groups.get(last);
        }
        return ofLast;
    }

    private static int next(GroupRow group, @Nullable Claimed claimed, int from) {
        int index = group.nextToPlan(from);
        while (index != NONE && claimed != null && claimed.indexes.get(index)) {
            index = group.nextToPlan(claimed.indexes.nextClearBit(index));
        }
        return index;
    }
}
