package dev.cella.cli.bench;

import dev.cella.bench.report.RunFacts;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.simulator.experiment.DataText;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The format of a report: text for people, or JSON for programs, which is also how a run is kept for the measurements page. */
final class BenchFormat {
    private static final String JSON = "--json";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec bench;

    /** As the bench began; there if its answer is JSON. */
    private Optional<RunFacts> facts = Optional.empty();

    @Option(
            names = JSON,
            description =
                    "print JSON, with the date, the commit and the machine; cella bench report makes a page of it")
    void json(boolean on) {
        facts = on ? Optional.of(RunFacts.at(Instant.now())) : Optional.empty();
    }

    /** Prints a report in this format, and returns the exit code of a bench that is done. */
    <R> int answer(Terminal terminal, R report, Function<R, Map<String, Object>> data, Consumer<R> text) {
        if (facts.isPresent()) {
            printRun(terminal, data.apply(report));
        } else {
            text.accept(report);
        }
        return ExitCode.DONE.number();
    }

    /** Prints what a bench found as JSON, with the facts of the run. Only if {@link #isJson}. */
    void printRun(Terminal terminal, Map<String, Object> found) {
        terminal.print(DataText.json(facts.orElseThrow().with(command(), found)));
    }

    /** As it was typed, without the flag for JSON. */
    private String command() {
        Stream<String> typed =
                bench == null ? Stream.of() : bench.root().commandLine().getParseResult().originalArgs().stream();
        return Stream.concat(Stream.of("cella"), typed.filter(word -> !word.equals(JSON)))
                .collect(Collectors.joining(" "));
    }

    boolean isJson() {
        return facts.isPresent();
    }
}
