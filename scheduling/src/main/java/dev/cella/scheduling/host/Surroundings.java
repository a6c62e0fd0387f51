package dev.cella.scheduling.host;

import dev.cella.scheduling.placement.MachineIndex;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;

/**
 * The tables that a plan reads besides the view: what jobs require of machines, which machines have it, and where tasks have
 * failed. The host of the planner maintains them, on the thread that reads the view.
 */
public record Surroundings(Placements placements, MachineIndex index, FailedMachines failed) {
    /** No job has requirements, and nothing has failed. */
    public static Surroundings of(CellView view) {
        return of(view, Placements.ANYWHERE);
    }

    /** Nothing has failed so far. */
    public static Surroundings of(CellView view, Placements placements) {
        return new Surroundings(placements, new MachineIndex(view), new FailedMachines());
    }

    /** The same with an index of its own. */
    public Surroundings withIndex(MachineIndex other) {
        return new Surroundings(placements, other, failed);
    }

    /** The same with tables of its own, for another thread. */
    public Surroundings on(CellView other) {
        return new Surroundings(placements, new MachineIndex(other), failed.copy());
    }
}
