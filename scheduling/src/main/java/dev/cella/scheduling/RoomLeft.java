package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;

/**
 * Answers whether some machine of a view still has room for a task of one shape, while a plan places tasks.
 *
 * <p>It finds one machine with room and keeps it until it has none, so an answer mostly costs one look. Room only shrinks while
 * tasks are placed, so it never returns to a machine. In a full cell it looks only at machines that may have gained room since
 * an earlier plan found none. After a plan took claims back, ask {@link PlanningView#roomLeft} for another one.
 *
 * <p>Belongs to one plan and its thread.
 */
public final class RoomLeft {
    private final PlanningView cell;
    private final Amounts shape;
    private final MachinePool machines;
    private int found;

    /** @param machines those with room for the shape, until none is left */
    RoomLeft(PlanningView cell, Amounts shape, MachinePool machines) {
        this.cell = cell;
        this.shape = shape;
        this.machines = machines;
        this.found = machines.next();
    }

    /** Returns whether a machine has room that no job holds. */
    public boolean isLeft() {
        if (found != MachinePool.EMPTY && !cell.fits(found, shape, OwnHolds.NONE)) {
            found = machines.next();
        }
        return found != MachinePool.EMPTY;
    }
}
