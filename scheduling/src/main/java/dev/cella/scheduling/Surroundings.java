package dev.cella.scheduling;

import dev.cella.scheduling.placement.MachineIndex;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;

/**
 * What a plan looks things up in, beside the view: what jobs ask of machines, which machines have it, and where tasks have
 * failed. Kept up by whoever drives the planner, on the thread that reads the view.
 */
public record Surroundings(Placements placements, MachineIndex index, FailedMachines failed) {
    /** No job asks anything, and nothing has failed. */
    public static Surroundings of(CellView view) {
        return of(view, Placements.ANYWHERE);
    }

    /** Nothing has failed so far. */
    public static Surroundings of(CellView view, Placements placements) {
        return new Surroundings(placements, new MachineIndex(view), new FailedMachines());
    }

    /** The same with an index that nobody else holds. */
    public Surroundings withIndex(MachineIndex other) {
        return new Surroundings(placements, other, failed);
    }

    /** The same for a plan on a copy of the cell, which may be made on another thread. */
    public Surroundings on(CellView copy) {
        return new Surroundings(placements, new MachineIndex(copy), failed.copy());
    }
}
