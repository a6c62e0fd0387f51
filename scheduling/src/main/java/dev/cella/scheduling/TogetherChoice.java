package dev.cella.scheduling;

import dev.cella.scheduling.placement.Domains;
import dev.cella.transactions.model.Amounts;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * Chooses the value for a group with {@code together}: a value whose machines have room for all its tasks, drawn from the
 * seed; if there is no such value, the one with room for most tasks.
 */
final class TogetherChoice {
    private final PlanningView cell;
    private final Amounts shape;
    private final Domains domains;
    private final Whereabouts whereabouts;
    private final IntPredicate takes;

    TogetherChoice(PlanningView cell, Amounts shape, Domains domains, Whereabouts whereabouts, IntPredicate takes) {
        this.cell = cell;
        this.shape = shape;
        this.domains = domains;
        this.whereabouts = whereabouts;
        this.takes = takes;
    }

    /** The value for {@code tasks} tasks, or {@link Domains#NO_VALUE} if no machine takes one. */
    int choose(int tasks, SplittableRandom random) {
        long[] room = new long[domains.togetherValuesEnd()];
        Map<Integer, Integer> distinct = new HashMap<>();
        for (int place = 0; place < domains.classes(); place++) {
            int value = domains.togetherValue(place);
            for (int machine : domains.machines(place)) {
                room[value] += room(machine, tasks, distinct);
            }
        }
        return roomiest(room, tasks, random);
    }

    private static int roomiest(long[] room, int tasks, SplittableRandom random) {
        int start = random.nextInt(room.length);
        int best = Domains.NO_VALUE;
        long most = 0;
        for (int step = 0; step < room.length; step++) {
            int value = (start + step) % room.length;
            if (value != Domains.NO_VALUE && Math.min(room[value], tasks) > most) {
                most = Math.min(room[value], tasks);
                best = value;
            }
        }
        return best;
    }

    /**
     * How many of the tasks the machine has room for: at most one if they name a member of a set, such as a port. {@code
     * distinct} counts the tasks that were given to other machines before.
     */
    private int room(int machine, int tasks, Map<Integer, Integer> given) {
        if (!takes.test(machine)) {
            return 0;
        }
        long room = shape.namesMembers() ? Math.min(tasks, 1) : tasks;
        for (int dimension = 0; dimension < shape.size(); dimension++) {
            if (shape.at(dimension) > 0) {
                room = Math.min(room, cell.free(machine, dimension) / shape.at(dimension));
            }
        }
        int value = domains.distinctValueOf(machine);
        int before = given.getOrDefault(value, 0);
        int taken = (int) Math.min(room, whereabouts.distinctRoom(machine) - before);
        given.put(value, before + taken);
        return taken;
    }
}
