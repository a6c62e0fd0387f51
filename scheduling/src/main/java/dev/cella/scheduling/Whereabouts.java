package dev.cella.scheduling;

import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.Domains;
import dev.cella.scheduling.placement.GroupPlacement;
import java.util.Optional;

/**
 * How many tasks of one group are on each value of the attributes that its placement counts: tasks on machines in the view,
 * tasks in flight, and tasks that the plan has claimed. Belongs to one plan.
 */
final class Whereabouts {
    private final Domains domains;
    private final int[][] bySpread;
    private final int[] byDistinct;
    private final int[] byTogether;
    private final Optional<Distinct> distinct;
    private final boolean isTogether;
    private int together = Domains.NO_VALUE;

    Whereabouts(GroupPlacement placement, Domains domains) {
        this.domains = domains;
        this.bySpread = new int[placement.spreads().size()][];
        for (int wish = 0; wish < bySpread.length; wish++) {
            bySpread[wish] = new int[domains.spreadValuesEnd(wish)];
        }
        this.byDistinct = new int[domains.distinctValuesEnd()];
        this.byTogether = new int[domains.togetherValuesEnd()];
        this.distinct = placement.distinct();
        this.isTogether = placement.together().isPresent();
    }

    /** Counts one more task on the machine. {@code together} becomes the value with most tasks. */
    void add(int machine) {
        for (int wish = 0; wish < bySpread.length; wish++) {
            bySpread[wish][domains.spreadValueOf(machine, wish)]++;
        }
        byDistinct[domains.distinctValueOf(machine)]++;
        int value = domains.togetherValueOf(machine);
        if (value != Domains.NO_VALUE && ++byTogether[value] > byTogether[together]) {
            together = value;
        }
    }

    /** Counts one task less on the machine. The value of {@code together} stays. */
    void remove(int machine) {
        for (int wish = 0; wish < bySpread.length; wish++) {
            bySpread[wish][domains.spreadValueOf(machine, wish)]--;
        }
        byDistinct[domains.distinctValueOf(machine)]--;
        byTogether[domains.togetherValueOf(machine)]--;
    }

    int onSpreadValue(int wish, int value) {
        return bySpread[wish][value];
    }

    /**
     * How many more tasks of the group may go to the machine's value, by {@code distinct}: none if it has no value.
     */
    int distinctRoom(int machine) {
        if (distinct.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        int value = domains.distinctValueOf(machine);
        return value == Domains.NO_VALUE ? 0 : distinct.get().max() - byDistinct[value];
    }

    /** The value on which all tasks of the group must be, or {@link Domains#NO_VALUE} while none is chosen. */
    int together() {
        return together;
    }

    void choose(int value) {
        together = value;
    }

    /** Returns whether the machine has another value than the one on which all tasks of the group must be. */
    boolean isApart(int machine) {
        if (!isTogether) {
            return false;
        }
        int value = domains.togetherValueOf(machine);
        return value == Domains.NO_VALUE || (together != Domains.NO_VALUE && value != together);
    }
}
