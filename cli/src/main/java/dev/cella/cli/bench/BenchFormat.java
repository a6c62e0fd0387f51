package dev.cella.cli.bench;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.simulator.experiment.DataText;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The format of a report: text for people, or JSON for programs. */
final class BenchFormat {
    @Option(names = "--json", description = "print JSON")
    private boolean json;

    /** Prints a report in this format, and returns the exit code of a bench that is done. */
    <R> int answer(Terminal terminal, R report, Function<R, Map<String, Object>> data, Consumer<R> text) {
        if (json) {
            terminal.print(DataText.json(data.apply(report)));
        } else {
            text.accept(report);
        }
        return ExitCode.DONE.number();
    }

    boolean isJson() {
        return json;
    }
}
