package dev.cella.scheduler.batch.apollo;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * The list from which lightly loaded machines are drawn for one group: those on which a task would start at once. If they are
 * fewer than one in a hundred, the other machines are drawn from, too, and the estimate decides. Belongs to one plan.
 *
 * <h2>How many machines it looks at</h2>
 *
 * <p>A look at every machine of a large cell takes longer than the rest of a job's turn. So it looks at machines in random order
 * until it has enough light ones: more than one in a hundred of all, and several for each task. The draws are as random as
 * among all light machines, because those that it has are a random part of them. If light ones are too rare for that, or the
 * cell is small, it looks at all machines in their order.
 */
final class LightMachines {
    private static final int NONE = -1;
    private static final int LIGHT_PART = 100;
    private static final int LIGHT_MIN = 2;
    private static final int ENOUGH_MIN = 1_000;

    /** Tasks that draw from few machines would often draw the same one, which takes only one of them. */
    private static final int ENOUGH_A_TASK = 10;

    /** To look at all in their order costs less than to look at more than these for each light one that it needs. */
    private static final int LOOKS_FOR_EACH = 8;

    private final IntPredicate mayWait;
    private final IntPredicate isLight;
    private final RandomGenerator random;
    private final int enough;
    private final int randomLooksMax;

    /** First the machines on which a task may wait, as far as it has looked; from {@link #next} on those to look at. */
    private final int[] machines;

    private int mayWaitCount;
    private int next;
    private int[] light = new int[64];
    private int lightCount;

    /** The machines that it has looked at, also for {@link #contains}. The first look at a machine counts from then on. */
    private final BitSet seen = new BitSet();

    private final BitSet seenToTakeTasks = new BitSet();
    private final BitSet seenLight = new BitSet();
    private IntPredicate isStillLight = machine -> true;

    /**
     * Looks for light machines.
     *
     * @param slots all machines to look at; this takes the array over
     * @param tasks how many tasks will draw before the next call of {@link #retain}
     * @param mayWait whether a task of the group may wait on the machine
     * @param random for the order in which it looks
     */
    LightMachines(int[] slots, int tasks, IntPredicate mayWait, IntPredicate isLight, RandomGenerator random) {
        this.machines = slots;
        this.mayWait = mayWait;
        this.isLight = isLight;
        this.random = random;
        this.enough = Math.max(Math.max(ENOUGH_MIN, ENOUGH_A_TASK * tasks), slots.length / LIGHT_PART + 1);
        long looksMax = (long) LOOKS_FOR_EACH * enough;
        this.randomLooksMax = slots.length > looksMax ? (int) looksMax : 0;
        lookOn();
    }

    private void lookOn() {
        while (lightCount < enough && next < randomLooksMax) {
            drawNext();
            lookAtNext();
        }
        if (lightCount < enough) {
            lookAtRest();
        }
    }

    private void drawNext() {
        int drawn = next + random.nextInt(machines.length - next);
        int machine = machines[drawn];
        machines[drawn] = machines[next];
        machines[next] = machine;
    }

    private void lookAtRest() {
        while (next < machines.length) {
            lookAtNext();
        }
    }

    private void lookAtNext() {
        int machine = machines[next++];
        see(machine);
        if (seenToTakeTasks.get(machine)) {
            machines[mayWaitCount++] = machine;
        }
        if (seenLight.get(machine) && isStillLight.test(machine)) {
            addLight(machine);
        }
    }

    private void see(int machine) {
        if (!seen.get(machine)) {
            seen.set(machine);
            seenToTakeTasks.set(machine, mayWait.test(machine));
            seenLight.set(machine, seenToTakeTasks.get(machine) && isLight.test(machine));
        }
    }

    private void addLight(int machine) {
        if (lightCount == light.length) {
            light = Arrays.copyOf(light, 2 * lightCount);
        }
        light[lightCount++] = machine;
    }

    /** How many machines are drawn from; 0 if a task may wait on none. */
    int count() {
        return isFew() ? mayWaitCount : lightCount;
    }

    /** It has looked at all machines then; before that, it has enough. */
    private boolean isFew() {
        return lightCount < Math.max(LIGHT_MIN, mayWaitCount / LIGHT_PART);
    }

    /** Draws machines for one task. The first is a light one, if there is any. The same machine does not come twice in a row. */
    IntSupplier draws(RandomGenerator draws) {
        int[] last = {NONE};
        return () -> {
            last[0] = last[0] == NONE && lightCount > 0 ? light[draws.nextInt(lightCount)] : other(last[0], draws);
            return last[0];
        };
    }

    private int other(int last, RandomGenerator draws) {
        int[] from = isFew() ? machines : light;
        int drawn = from[draws.nextInt(count())];
        while (drawn == last && count() > 1) {
            drawn = from[draws.nextInt(count())];
        }
        return drawn;
    }

    /** Returns whether a task of the group may wait on the machine; not if it is none. */
    boolean contains(int machine) {
        if (machine < 0) {
            return false;
        }
        see(machine);
        return seenToTakeTasks.get(machine);
    }

    /** Keeps only the light machines for which this says so, and looks for others if they are not enough. */
    void retain(IntPredicate isStill) {
        isStillLight = isStill;
        int kept = 0;
        for (int place = 0; place < lightCount; place++) {
            if (isStill.test(light[place])) {
                light[kept++] = light[place];
            }
        }
        lightCount = kept;
        lookOn();
    }
}
