package dev.cella.chaos;

import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.World;
import dev.cella.chaos.simulated.SimulatedRun;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;

/** The simulated world: a new one for each run, in this process. */
public record SimulatedWorlds(SchedulerTypes types) implements CellWorld {
    @Override
    public World world() {
        return World.SIMULATED;
    }

    @Override
    public WorldResult run(Scenario scenario, List<PlannedFault> faults, long seed) {
        return new SimulatedRun(scenario, faults, seed, types).run();
    }
}
