package dev.cella.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.chaos.CellWorld;
import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.processes.CellNotStartedException;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.World;
import dev.cella.cli.terminal.CommandFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessesOptionTest {
    @Test
    void cellThatDoesNotStart_endsTheCommandInWords() {
        CellWorld busy = new CellWorld() {
            @Override
            public World world() {
                return World.PROCESSES;
            }

            @Override
            public WorldResult run(Scenario scenario, List<PlannedFault> faults, long seed) {
                throw new CellNotStartedException("the processes of the cell were not ready after 120 s");
            }
        };
        Scenario any = ScenarioFiles.shipped("leader-loss").orElseThrow();
        CommandFailure failure = catchThrowableOfType(
                CommandFailure.class, () -> new ProcessesOption.StartedWorlds(busy).run(any, List.of(), 1));
        assertThat(failure.errors()).containsExactly("the processes of the cell were not ready after 120 s");
        assertThat(failure.hint()).contains("busy");
    }
}
