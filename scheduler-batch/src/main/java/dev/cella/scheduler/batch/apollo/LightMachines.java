package dev.cella.scheduler.batch.apollo;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * The list from which lightly loaded machines are drawn for one group: those on which a task would start at once. If they are
 * fewer than one in a hundred, the other machines are drawn from, too, and the estimate decides. Belongs to one plan.
 */
final class LightMachines {
    private static final int NONE = -1;
    private static final int LIGHT_PART = 100;
    private static final int LIGHT_MIN = 2;

    private final int[] all;

    /** The light ones come first. */
    private final int[] machines;

    private int lightCount;

    /** @param all the machines on which a task of the group may wait; at least one */
    LightMachines(int[] all, IntPredicate isLight) {
        this.all = all;
        this.machines = all.clone();
        for (int place = 0; place < machines.length; place++) {
            if (isLight.test(machines[place])) {
                swap(place, lightCount++);
            }
        }
    }

    private void swap(int place, int other) {
        int machine = machines[place];
        machines[place] = machines[other];
        machines[other] = machine;
    }

    /** How many machines are drawn from. */
    int count() {
        return isFew() ? all.length : lightCount;
    }

    private boolean isFew() {
        return lightCount < Math.max(LIGHT_MIN, all.length / LIGHT_PART);
    }

    /** Draws machines for one task. The first is a light one, if there is any. The same machine does not come twice in a row. */
    IntSupplier draws(RandomGenerator random) {
        int[] last = {NONE};
        return () -> {
            last[0] = last[0] == NONE && lightCount > 0 ? machines[random.nextInt(lightCount)] : other(last[0], random);
            return last[0];
        };
    }

    private int other(int last, RandomGenerator random) {
        int[] from = isFew() ? all : machines;
        int drawn = from[random.nextInt(count())];
        while (drawn == last && count() > 1) {
            drawn = from[random.nextInt(count())];
        }
        return drawn;
    }

    /** Returns whether a task of the group may wait on the machine. */
    boolean contains(int machine) {
        return Arrays.binarySearch(all, machine) >= 0;
    }

    /** Keeps only the light machines for which this says so. */
    void retain(IntPredicate isLight) {
        int kept = 0;
        for (int place = 0; place < lightCount; place++) {
            if (isLight.test(machines[place])) {
                swap(place, kept++);
            }
        }
        lightCount = kept;
    }
}
