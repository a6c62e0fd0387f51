package dev.cella.scheduling.host;

import dev.cella.scheduling.placement.MachineIndex;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import java.util.Optional;

/**
 * The tables that a plan reads besides the view: what jobs require of machines, which machines have it, where tasks have
 * failed, and which machines are full. The host of the planner maintains them, on the thread that reads the view.
 */
public record Surroundings(
        Placements placements,
        MachineIndex index,
        FailedMachines failed,
        Optional<FullMachines> full,
        Explanations explanations) {
    /** No job has requirements, and nothing has failed. */
    public static Surroundings of(CellView view) {
        return of(view, Placements.ANYWHERE);
    }

    /** Nothing has failed so far. */
    public static Surroundings of(CellView view, Placements placements) {
        return new Surroundings(
                placements, new MachineIndex(view), new FailedMachines(), Optional.empty(), Explanations.WITH_MACHINES);
    }

    /** The same for a host that says of every machine when it may have gained room, as far as it knows which are full. */
    public Surroundings with(Optional<FullMachines> known) {
        return new Surroundings(placements, index, failed, known, explanations);
    }

    /** The same with explanations as the host chooses. */
    public Surroundings with(Explanations chosen) {
        return new Surroundings(placements, index, failed, full, chosen);
    }

    /** The same with tables of its own that a plan which was given up does not know. */
    public Surroundings renewed(CellView view) {
        return new Surroundings(
                placements, new MachineIndex(view), failed, full.map(old -> new FullMachines()), explanations);
    }

    /** The same with tables of its own, for another thread. */
    public Surroundings on(CellView other) {
        return new Surroundings(placements, new MachineIndex(other), failed.copy(), Optional.empty(), explanations);
    }
}
