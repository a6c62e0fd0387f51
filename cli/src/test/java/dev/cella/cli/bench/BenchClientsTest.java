package dev.cella.cli.bench;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.bench.cell.ClientsBench;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchClientsTest {
    private static final int MORE_THAN_ANY_MACHINE_LETS = 200_000_000;

    @Test
    void moreClientsThanFiles_areRefusedBeforeAServerStarts(@TempDir Path folder) {
        BenchClientsCommand command = new BenchClientsCommand(new TypedCommand(folder).terminal(), "no.such.Main");
        new CommandLine(command).parseArgs("--connections", String.valueOf(MORE_THAN_ANY_MACHINE_LETS));
        assertThatThrownBy(command::call)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("a process may open")
                .hasMessageContaining(
                        String.format("need %,d", ClientsBench.filesNeeded(MORE_THAN_ANY_MACHINE_LETS + 100)));
    }
}
