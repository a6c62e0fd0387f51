package dev.cella.scheduling;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Machines in an order drawn from a seed, as long as they take tasks; with several draws, the best of each draw.
 *
 * <p>"candidate := random machine in pool ... if it has not enough available resources, remove it from pool" (dissertation
 * 3.2). Drawing from a list would require a list per job, and most jobs take only its first few machines. So the first round
 * walks the places from a random start by a random stride that meets each place once, wrapping around. Only machines that
 * fitted are kept for later rounds.
 *
 * <p>The walk goes anywhere in a large cell, and a machine that is in no cache of the processor takes longer to arrive than to
 * inspect. So the walk checks a few machines ahead for readiness, one right after the other, and their rows arrive in
 * parallel.
 */
final class DrawnMachines implements MachinePool {
    private static final int AHEAD = 8;

    private final Drawing drawing;
    private final int @Nullable [] members;
    private final int machines;
    private final int stride;
    private int walked;
    private final int[] ahead = new int[AHEAD];
    private int aheadCount;
    private int aheadNext;
    private int position;
    private int[] fitted = new int[16];
    private int fittedCount;
    private int place;

    DrawnMachines(Drawing drawing, int @Nullable [] members) {
        this.drawing = drawing;
        this.members = members;
        this.machines = members == null ? drawing.cell().machines() : members.length;
        this.position = machines == 0 ? 0 : drawing.random().nextInt(machines);
        this.stride = machines <= 1 ? 1 : drawStride(drawing.random());
    }

    /** A stride that visits every place before it returns to the first. */
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

    @Override
    public int next() {
        int best = draw();
        for (int drawn = 1; drawn < drawing.choice().draws() && best != EMPTY; drawn++) {
            best = better(best, draw());
        }
        return best;
    }

    private int better(int one, int other) {
        if (other == EMPTY || other == one) {
            return one;
        }
        return drawing.score(other) > drawing.score(one) ? other : one;
    }

    private int draw() {
        int machine = nextOfWalk();
        return machine == EMPTY ? nextOfFitted() : machine;
    }

    private int nextOfWalk() {
        while (aheadNext < aheadCount || lookAhead()) {
            int machine = ahead[aheadNext++];
            if (drawing.takes().test(machine)) {
                keep(machine);
                return machine;
            }
        }
        return EMPTY;
    }

    /** Finds the next few machines of the walk that take claims. Returns whether there is any. */
    private boolean lookAhead() {
        aheadNext = 0;
        aheadCount = 0;
        while (walked < machines && aheadCount < AHEAD) {
            int machine = members == null ? position : members[position];
            position = afterStride(position);
            walked++;
            if (drawing.cell().isReady(machine)) {
                ahead[aheadCount++] = machine;
            }
        }
        return aheadCount > 0;
    }

    private int afterStride(int at) {
        int beforeEnd = machines - stride;
        return at < beforeEnd ? at + stride : at - beforeEnd;
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
            if (drawing.takes().test(machine)) {
                place++;
                return machine;
            }
            fittedCount--;
            fitted[place] = fitted[fittedCount];
        }
        return EMPTY;
    }
}
