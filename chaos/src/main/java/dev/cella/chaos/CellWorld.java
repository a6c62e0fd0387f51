package dev.cella.chaos;

import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.World;
import java.util.List;

/** Carries out a scenario: makes a cell, gives it the load and the faults, and returns what everybody saw. */
public interface CellWorld {
    World world();

    /**
     * Makes the run, to its end.
     *
     * @throws dev.cella.chaos.processes.CouldNotRunException if this machine does not let the run be made
     */
    WorldResult run(Scenario scenario, List<PlannedFault> faults, long seed);
}
