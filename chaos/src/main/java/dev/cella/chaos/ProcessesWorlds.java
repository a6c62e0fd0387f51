package dev.cella.chaos;

import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.processes.ProcessesWorld;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.World;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The processes world: a new cell of processes for each run.
 *
 * @param cella the command that runs {@code cella}
 * @param plugins the jars of scheduler types
 * @param enclosedIn a folder for the files of runs, if this process is in an enclosure
 */
public record ProcessesWorlds(
        List<String> cella, List<String> plugins, Optional<Path> enclosedIn, Consumer<String> progress)
        implements CellWorld {
    @Override
    public World world() {
        return World.PROCESSES;
    }

    @Override
    public WorldResult run(Scenario scenario, List<PlannedFault> faults, long seed) {
        return new ProcessesWorld(scenario, faults, seed, cella, plugins, enclosedIn, progress).run();
    }
}
