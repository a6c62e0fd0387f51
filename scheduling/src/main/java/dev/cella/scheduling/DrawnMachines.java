package dev.cella.scheduling;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Machines in an order drawn from a seed, as long as they take tasks; with several draws, the best of each draw.
 *
 * <p>"candidate := random machine in pool ... if it has not enough available resources, remove it from pool" (dissertation
 * 3.2). Drawing from a list would require a list per job, and most jobs take only its first few machines. So the first round
 * is a {@link Walk}. Only machines that fitted are kept for later rounds.
 *
 * <p>The walk goes anywhere in a large cell, and a machine that is in no cache of the processor takes longer to arrive than to
 * inspect. So the walk checks a few machines ahead for readiness, one right after the other, and their rows arrive in
 * parallel. Machines that a {@link RoomSearch} knows to be full are left out; the others keep their order.
 */
final class DrawnMachines implements MachinePool {
    private static final int AHEAD = 8;

    private final Drawing drawing;
    private final int @Nullable [] members;
    private final @Nullable RoomSearch search;
    private final Walk walk;
    private final int[] ahead = new int[AHEAD];
    private int aheadCount;
    private int aheadNext;
    private int[] fitted = new int[16];
    private int fittedCount;
    private int place;

    /**
     * @param members the slots to draw from, ascending; all of the cell if null
     * @param search what they are drawn for, if it is room alone
     */
    DrawnMachines(Drawing drawing, int @Nullable [] members, @Nullable RoomSearch search) {
        this.drawing = drawing;
        this.members = members;
        this.search = search;
        this.walk = new Walk(members == null ? drawing.cell().machines() : members.length, drawing.random());
        if (search != null) {
            search.mayHaveRoom().ifPresent(machines -> walk.visitOnly(machines.map(this::placeOf)));
        }
    }

    private int placeOf(int machine) {
        return members == null ? machine : Arrays.binarySearch(members, machine);
    }

    @Override
    public int next() {
        int best = draw();
        if (best == EMPTY && search != null) {
            search.foundNone();
        }
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
        while (aheadCount < AHEAD && walk.hasNext()) {
            int place = walk.next();
            int machine = members == null ? place : members[place];
            if (drawing.cell().isReady(machine)) {
                ahead[aheadCount++] = machine;
            }
        }
        return aheadCount > 0;
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
