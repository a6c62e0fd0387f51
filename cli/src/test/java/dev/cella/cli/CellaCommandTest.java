package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CellaCommandTest {
    private final CellaCommand cella = new CellaCommand(new TypedCommand(Path.of(".")).terminal());

    @Test
    void commandThatIsNamed_isMadeAlone() {
        cella.line().getSubcommands().forEach((name, command) -> {
            CommandLine made = cella.lineFor(name, "--any");
            assertThat(made.getSubcommands())
                    .hasEntrySatisfying(
                            name,
                            alone -> assertThat(alone.getSubcommands().keySet())
                                    .isEqualTo(command.getSubcommands().keySet()));
            if (!name.equals("completion")) {
                assertThat(made.getSubcommands()).containsOnlyKeys(name);
            }
        });
    }

    @Test
    void otherArguments_makeAllCommands() {
        for (String[] arguments : new String[][] {{}, {"--help"}, {"jub", "run"}, {"completion", "bash"}}) {
            assertThat(cella.lineFor(arguments).getSubcommands())
                    .containsOnlyKeys(cella.line().getSubcommands().keySet());
        }
    }

    /** It may be a secret, so it is not repeated. */
    @Test
    void nameWithoutItsValue_isRefusedInWords() {
        TypedCommand typed = new TypedCommand(Path.of("."));
        assertThat(new CellaCommand(typed.terminal()).run("pool", "set", "research", "--limit", "cpuMilli"))
                .isEqualTo(64);
        assertThat(typed.err()).isEqualTo("""
                error: --limit is written DIMENSION=AMOUNT
                hint:  see cella pool set --help
                """);
    }
}
