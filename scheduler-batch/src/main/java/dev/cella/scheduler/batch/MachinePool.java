package dev.cella.scheduler.batch;

import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.model.Amounts;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The machines of a cell in an order drawn from a seed, as long as they fit tasks of one shape.
 *
 * <p>"candidate := random machine in pool ... if it has not enough available resources, remove it from pool"
 * (dissertation 3.2). Drawing from a list of all machines would cost making that list for every job, and most jobs take
 * the first few machines of it. So the first round walks the slots from a random start by a random stride that meets
 * each once, wrapping around; only machines that fitted are kept for the rounds after it.
 */
final class MachinePool {
    static final int EMPTY = -1;

    private final PlanningView cell;
    private final Amounts shape;
    private final int machines;
    private final int stride;
    private int walked;
    private int position;
    private int[] fitted = new int[4];
    private int fittedCount;
    private int place;

    MachinePool(PlanningView cell, Amounts shape, SplittableRandom random) {
        this.cell = cell;
        this.shape = shape;
        this.machines = cell.machines();
        this.position = machines == 0 ? 0 : random.nextInt(machines);
        this.stride = machines <= 1 ? 1 : drawStride(random);
    }

    /** A stride that comes by every slot before it comes back to the first. */
    private int drawStride(SplittableRandom random) {
        int drawn = 1 + random.nextInt(machines - 1);
        while (greatestCommonDivisor(drawn, machines) != 1) {
            drawn = drawn % (machines - 1) + 1;
        }
        return drawn;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    /** The next machine that has room for one task, or {@link #EMPTY} when none has. */
    int next() {
        int machine = nextOfWalk();
        return machine == EMPTY ? nextOfFitted() : machine;
    }

    private int nextOfWalk() {
        while (walked < machines) {
            int machine = position;
            position = (int) (((long) position + stride) % machines);
            walked++;
            if (cell.fits(machine, shape)) {
                keep(machine);
                return machine;
            }
        }
        return EMPTY;
    }

    private void keep(int machine) {
        if (fittedCount == fitted.length) {
            fitted = Arrays.copyOf(fitted, 2 * fittedCount);
        }
        fitted[fittedCount++] = machine;
    }

    private int nextOfFitted() {
        while (fittedCount > 0) {
            place = place < fittedCount ? place : 0;
            int machine = fitted[place];
            if (cell.fits(machine, shape)) {
                place++;
                return machine;
            }
            fittedCount--;
            fitted[place] = fitted[fittedCount];
        }
        return EMPTY;
    }
}
