package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.TypedCommand;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    @ParameterizedTest
    @ValueSource(strings = {"-", "/dev/zero"})
    void inputThatIsTooLarge_isRefused(String file) {
        TypedCommand typed = new TypedCommand(Path.of("."));
        assertThat(runWithInput(typed, new byte[(8 << 20) + 1], "job", "validate", file))
                .isEqualTo(1);
        assertThat(typed.err()).isEqualTo("""
                error: %s is too large to be a job
                hint:  it has at most 8 MiB
                """.formatted(file));
    }

    private static int runWithInput(TypedCommand typed, byte[] input, String... arguments) {
        return runWithInput(typed, new ByteArrayInputStream(input), arguments);
    }

    private static int runWithInput(TypedCommand typed, InputStream input, String... arguments) {
        Terminal whole = typed.terminal();
        return new CellaCommand(new Terminal(whole.out(), whole.err(), input, whole.environment())).run(arguments);
    }

    @Test
    void commandThatNeedsMoreMemory_saysSo() {
        TypedCommand typed = new TypedCommand(Path.of("."));
        InputStream large = new InputStream() {
            @Override
            public int read() {
                throw new OutOfMemoryError("Java heap space");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                return read();
            }
        };
        assertThat(runWithInput(typed, large, "job", "validate", "-")).isEqualTo(1);
        assertThat(typed.err())
                .isEqualTo("""
                error: the command has not enough memory
                hint:  CELLA_JAVA_OPTIONS=-Xmx%dm gives it twice as much, or ask for less
                """.formatted(2 * (Runtime.getRuntime().maxMemory() >> 20)));
    }
}
