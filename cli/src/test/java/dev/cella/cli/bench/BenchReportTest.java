package dev.cella.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Keeping a run, and making the page of it. */
class BenchReportTest {
    @TempDir
    private Path folder;

    private TypedCommand typed;

    @BeforeEach
    void type() {
        typed = new TypedCommand(folder);
    }

    /** A bench that is over at once. */
    @Command(name = "restart")
    private static final class InstantBench implements Callable<Integer> {
        private final TypedCommand typed;

        @Mixin
        private final BenchLoad load = new BenchLoad();

        InstantBench(TypedCommand typed) {
            this.typed = typed;
        }

        @Override
        public Integer call() {
            return load.format()
                    .answer(
                            typed.terminal(),
                            load.machines(),
                            machines -> Map.of("bench", "restart", "machines", machines),
                            machines -> typed.terminal().print("people"));
        }
    }

    @Test
    void json_saysWhenWhereAndHowItRan() {
        new CommandLine(new InstantBench(typed)).execute("--machines", "7", "--json");
        assertThat(typed.out())
                .contains("\"bench\": \"restart\"", "\"command\": \"cella --machines 7\"", "\"machines\": 7")
                .containsPattern("\"date\": \"\\d{4}-\\d\\d-\\d\\dT")
                .contains("\"processors\": ", "\"memoryMib\": ", "\"java\": ", "\"loadAverage\": ")
                .contains("\"readNanos\": ", "\"sortMicros\": ");
    }

    @Test
    void withoutJson_isForPeople() {
        new CommandLine(new InstantBench(typed)).execute("--machines", "7");
        assertThat(typed.out()).isEqualTo("people\n");
    }

    @Test
    void report_writesThePageAndItsCharts() throws IOException {
        Path runs = Files.createDirectories(folder.resolve("docs/measurements"));
        Files.writeString(runs.resolve("plan.json"), """
            {"bench": "plan", "date": "2026-01-01T00:00:00Z", "commit": "c", "processors": 2,
             "placementsPerCpuSecond": [{"machines": 10000, "constrained": 2000001, "room": 3}]}
            """);
        assertThat(report()).isZero();
        assertThat(folder.resolve("docs/measurements.md"))
                .content()
                .contains("| 2,000,001 | 2,000,001 | 2,000,001 | 1 |");
        assertThat(runs.resolve("planning-one-core.svg")).exists();
        assertThat(report("--missing")).isZero();
        assertThat(typed.out()).contains("cella bench feed").doesNotContain("cella bench plan");
    }

    @Test
    void report_withoutRunsOrWithAnotherFile_saysWhich() throws IOException {
        assertThatThrownBy(this::report)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("there is no folder of runs docs/measurements");
        Path runs = Files.createDirectories(folder.resolve("docs/measurements"));
        Files.writeString(runs.resolve("odd.json"), "no JSON");
        assertThatThrownBy(this::report).isInstanceOf(CommandFailure.class).hasMessageContaining("odd.json is no JSON");
    }

    private int report(String... arguments) throws IOException {
        return CommandLine.populateCommand(new BenchReportCommand(typed.terminal()), arguments)
                .call();
    }
}
