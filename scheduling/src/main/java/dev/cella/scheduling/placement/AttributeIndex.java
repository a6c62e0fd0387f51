package dev.cella.scheduling.placement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.roaringbitmap.RoaringBitmap;

/**
 * One attribute over all machines: for each value the set of machines that have it, and for each machine its value. A value is
 * a small number here, so that a plan counts by values in arrays. A number is reused once no machine has its value.
 *
 * <p>Belongs to a {@link MachineIndex} and its thread.
 */
final class AttributeIndex {
    static final int NONE = -1;

    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> values = new ArrayList<>();
    private final List<RoaringBitmap> machines = new ArrayList<>();
    private final Deque<Integer> unused = new ArrayDeque<>();
    private int[] column = new int[0];

    // ---- changing

    /** Sets the value of the machine in the slot. Returns whether it changed. */
    boolean put(int slot, Optional<String> value) {
        int before = id(slot);
        boolean same = before == NONE
                ? value.isEmpty()
                : value.isPresent() && values.get(before).equals(value.get());
        if (same) {
            return false;
        }
        if (before != NONE) {
            leave(slot, before);
        }
        value.ifPresent(present -> enter(slot, ids.computeIfAbsent(present, this::newId)));
        return true;
    }

    private int newId(String value) {
        if (unused.isEmpty()) {
            values.add(value);
            machines.add(new RoaringBitmap());
            return values.size() - 1;
        }
        int id = unused.remove();
        values.set(id, value);
        return id;
    }

    private void enter(int slot, int id) {
        if (slot >= column.length) {
            int length = column.length;
            column = Arrays.copyOf(column, Math.max(slot + 1, 2 * length));
            Arrays.fill(column, length, column.length, NONE);
        }
        column[slot] = id;
        machines.get(id).add(slot);
    }

    private void leave(int slot, int id) {
        column[slot] = NONE;
        machines.get(id).remove(slot);
        if (machines.get(id).isEmpty()) {
            ids.remove(values.get(id));
            unused.add(id);
        }
    }

    // ---- reading

    /** The number of the machine's value, or {@link #NONE}. */
    int id(int slot) {
        return slot < column.length ? column[slot] : NONE;
    }

    /** The value of that number. */
    String value(int id) {
        return values.get(id);
    }

    /** One more than the highest number in use. */
    int idsEnd() {
        return values.size();
    }

    /** The slots of the machines that have the value, ascending. */
    int[] slotsWith(String value) {
        return having(List.of(value)).toArray();
    }

    /** Keeps in {@code set} only the machines that meet the constraint. */
    void keep(Constraint constraint, RoaringBitmap set) {
        switch (constraint.operator()) {
            case EQ, IN, GT, LT, EXISTS, MATCHES -> set.and(meeting(constraint));
            case NE, NOT_IN -> set.andNot(having(constraint.values()));
            case ABSENT -> set.andNot(havingAny());
        }
    }

    /** The machines whose value meets the constraint. Each value is tested once, not each machine. */
    private RoaringBitmap meeting(Constraint constraint) {
        return switch (constraint.operator()) {
            case EQ, IN -> having(constraint.values());
            case EXISTS -> havingAny();
            case GT, LT, MATCHES, NE, NOT_IN, ABSENT -> passing(constraint.test());
        };
    }

    private RoaringBitmap having(List<String> wanted) {
        RoaringBitmap having = new RoaringBitmap();
        for (String value : wanted) {
            Integer id = ids.get(value);
            if (id != null) {
                having.or(machines.get(id));
            }
        }
        return having;
    }

    private RoaringBitmap havingAny() {
        return passing(value -> true);
    }

    private RoaringBitmap passing(Predicate<String> test) {
        RoaringBitmap passing = new RoaringBitmap();
        ids.forEach((value, id) -> {
            if (test.test(value)) {
                passing.or(machines.get(id));
            }
        });
        return passing;
    }
}
