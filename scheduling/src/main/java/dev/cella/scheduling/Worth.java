package dev.cella.scheduling;

import dev.cella.scheduling.placement.Domains;
import java.util.Arrays;

/**
 * The worth of a class of machines by a group's wishes, in thousandths of a weight: its affinities, plus up to 100 for each
 * spread. A spread gives 100 for a value without any of its tasks, 0 for one with all the tasks that it should have, and less
 * for one with more.
 */
final class Worth {
    private static final long THOUSANDTHS = 1_000;
    private static final long SPREAD = 100 * THOUSANDTHS;
    private static final int UNKNOWN = -1;

    private final Domains domains;
    private final Whereabouts whereabouts;
    private final int tasks;
    private final int[][] wanted;

    /**
     * @param tasks how many tasks the group should have on machines in total
     */
    Worth(Domains domains, Whereabouts whereabouts, int tasks, int spreads) {
        this.domains = domains;
        this.whereabouts = whereabouts;
        this.tasks = tasks;
        this.wanted = new int[spreads][];
        for (int wish = 0; wish < spreads; wish++) {
            wanted[wish] = new int[domains.spreadValuesEnd(wish)];
            Arrays.fill(wanted[wish], UNKNOWN);
        }
    }

    /** It falls with each task on a value of the class, and never rises within a plan. */
    long of(int place) {
        return domains.affinity(place) * THOUSANDTHS + ofSpreads(place);
    }

    /** The part of it that its spreads give. */
    long ofSpreads(int place) {
        long worth = 0;
        for (int wish = 0; wish < wanted.length; wish++) {
            int value = domains.spreadValue(place, wish);
            worth += ofSpread(wish, value, whereabouts.onSpreadValue(wish, value));
        }
        return worth;
    }

    /** The upper bound: its worth while none of the group's tasks is on its values. */
    long withoutTasks(int place) {
        long worth = domains.affinity(place) * THOUSANDTHS;
        for (int wish = 0; wish < wanted.length; wish++) {
            worth += ofSpread(wish, domains.spreadValue(place, wish), 0);
        }
        return worth;
    }

    private long ofSpread(int wish, int value, int has) {
        int should = wanted(wish, value);
        return should == 0 ? -SPREAD * (1 + has) : SPREAD * (should - has) / should;
    }

    private int wanted(int wish, int value) {
        if (wanted[wish][value] == UNKNOWN) {
            wanted[wish][value] = domains.wanted(wish, value, tasks);
        }
        return wanted[wish][value];
    }
}
