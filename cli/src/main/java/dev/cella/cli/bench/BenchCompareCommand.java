package dev.cella.cli.bench;

import dev.cella.bench.report.KeptRun;
import dev.cella.bench.report.RunComparison;
import dev.cella.bench.report.UnreadableRunException;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cella bench compare}: tells in which figures two commits differ. */
@Command(
        name = "compare",
        header = "Tells in which figures two commits differ beyond the spread of their runs.",
        description = {
            "",
            "bench/compare of the source tree runs two commits by turns, keeps their runs as JSON and calls this. A figure",
            "differs if no run of one commit lies among those of the other. Equal commits lie apart by chance once in 10",
            "figures with 3 runs each, and once in 126 with 5.",
            ""
        },
        footer = {"", "Examples:", "  cella bench compare runs/before runs/after"})
public final class BenchCompareCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "BEFORE", description = "the folder with the runs of one commit")
    private String before = "";

    @Parameters(index = "1", paramLabel = "AFTER", description = "the folder with the runs of the other")
    private String after = "";

    public BenchCompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        RunComparison comparison = new RunComparison(kept(before), kept(after));
        if (comparison.commands().isEmpty()) {
            throw CommandFailure.failed(
                    "no command ran at both commits", "keep runs of the same command in both folders, with --json");
        }
        for (String command : comparison.commands()) {
            terminal.print(command);
            Table table = new Table("FIGURE", "BEFORE", "AFTER", "CHANGE", "VERDICT");
            comparison
                    .rows(command)
                    .forEach(row ->
                            table.row(row.figure(), row.before(), row.after(), row.change(), words(row.verdict())));
            table.print(terminal);
        }
        comparison.unmatched().forEach(command -> terminal.print("not compared, ran at one commit only: " + command));
        return ExitCode.DONE.number();
    }

    private static String words(RunComparison.Verdict verdict) {
        return switch (verdict) {
            case MORE -> "more";
            case LESS -> "less";
            case WITHIN_SPREAD -> "within the spread";
            case TOO_FEW_RUNS -> "fewer than " + RunComparison.RUNS_MIN + " runs";
        };
    }

    private List<KeptRun> kept(String runs) throws IOException {
        Path folder = terminal.environment().path(runs);
        if (!Files.isDirectory(folder)) {
            throw CommandFailure.usage(
                    "there is no folder of runs " + runs, "bench/compare of the source tree makes it");
        }
        try {
            return KeptRun.readAll(folder);
        } catch (UnreadableRunException unreadable) {
            throw CommandFailure.failed(
                    String.valueOf(unreadable.getMessage()), "remove the file, or keep the run again with --json");
        }
    }
}
