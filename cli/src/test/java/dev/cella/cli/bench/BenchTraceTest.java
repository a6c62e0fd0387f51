package dev.cella.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A short form of the trace; a test cannot judge the speed. */
class BenchTraceTest {
    private static final int TASKS = 3_000;

    @TempDir
    private Path folder;

    @Test
    void trace_runsEveryArchitectureThatCompareRuns_andEachPlacesAllTasks() throws Exception {
        JsonNode run = new ObjectMapper().readTree(shortTrace("--json"));
        List<String> names = new ArrayList<>();
        run.path("architectures").forEach(row -> {
            names.add(row.path("name").asText());
            assertThat(row.path("placements").asInt())
                    .as(row.path("name").asText())
                    .isEqualTo(TASKS);
            assertThat(row.path("cpuMicrosPerTask").asDouble()).isPositive();
        });
        assertThat(names)
                .containsExactly(
                        "monolithic",
                        "monolithic-multipath",
                        "partitioned",
                        "replicated",
                        "offers",
                        "fair",
                        "apollo",
                        "sparrow",
                        "megha");
        assertThat(run.path("bench").asText()).isEqualTo("trace");
        assertThat(run.path("complete").asBoolean()).isTrue();
    }

    @Test
    void trace_isForPeople_andRunsWhatIsNamedOnce() throws Exception {
        assertThat(shortTrace("--architectures", "replicated,monolithic,replicated"))
                .containsPattern("replicated +3,000 ")
                .containsPattern("monolithic +3,000 ")
                .containsPattern("all, \\d+ at a time")
                .doesNotContain("megha")
                .satisfies(text -> assertThat(text.lines()).hasSize(4));
    }

    /** The page finds each of its figures in a run of all, and none in a run of some. */
    @Test
    void page_hasEachFigure_onlyFromARunOfAllArchitectures() throws Exception {
        assertThat(rowsWithoutFigure(shortTrace("--json", "--architectures", "replicated,monolithic")))
                .isNotEmpty()
                .contains("all architectures, s", "replicated, s");
        assertThat(rowsWithoutFigure(shortTrace("--json"))).isEmpty();
    }

    /** The rows of the topic that find no figure in this run, if it had the full size and its machine were not slow. */
    private List<String> rowsWithoutFigure(String run) throws IOException {
        Path runs = Files.createDirectories(folder.resolve("docs/measurements"));
        Files.writeString(
                runs.resolve("trace.json"),
                run.replace("\"machines\": 300", "\"machines\": 50000")
                        .replace("\"tasks\": 3000", "\"tasks\": 312000")
                        .replaceFirst("\"readNanos\": [0-9.]+", "\"readNanos\": 50")
                        .replaceFirst("\"sortMicros\": [0-9.]+", "\"sortMicros\": 250"));
        CommandLine.populateCommand(new BenchReportCommand(new TypedCommand(folder).terminal()))
                .call();
        return topic(Files.readString(folder.resolve("docs/measurements.md")))
                .filter(row -> row.contains("not measured yet"))
                .map(row -> row.split(" \\| ", -1)[0].replace("| ", ""))
                .toList();
    }

    private static Stream<String> topic(String page) {
        return page.lines()
                .dropWhile(line -> !line.equals("## A trace of 312,000 tasks on 50,000 workers"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "));
    }

    @Test
    void impossibleTraces_areWrongUsage() {
        assertThatThrownBy(() -> shortTrace("--architectures", "replicatd"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("replicatd");
        assertThatThrownBy(() -> shortTrace("--machines", "0"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("machines, not 0");
        assertThatThrownBy(() -> shortTrace("--tasks", "0"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("tasks, not 0");
        assertThatThrownBy(() -> shortTrace("--load", "-1"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("a load is above 0");
    }

    /** Prints the trace on 300 workers; a later option wins. */
    private String shortTrace(String... options) throws Exception {
        TypedCommand typed = new TypedCommand(folder);
        CommandLine line = new CommandLine(new BenchTraceCommand(typed.terminal())).setOverwrittenOptionsAllowed(true);
        line.parseArgs(Stream.concat(Stream.of("--machines", "300", "--tasks", "" + TASKS), Stream.of(options))
                .toArray(String[]::new));
        BenchTraceCommand command = line.getCommand();
        assertThat(command.call()).isZero();
        return typed.out();
    }
}
