package dev.cella.cli.bench;

import dev.cella.bench.report.KeptRun;
import dev.cella.bench.report.MeasurementsPage;
import dev.cella.bench.report.UnreadableRunException;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cella bench report}: makes the page of measurements from kept runs. */
@Command(
        name = "report",
        header = "Makes the page of measurements from runs that were kept as JSON.",
        description = {
            "",
            "A run is kept with cella bench NAME --json > docs/measurements/FILE.json. The page shows each figure with its",
            "spread over the runs of the newest commit, beside its finish line. Its charts go beside the runs.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella bench report",
            "  cella bench report --missing",
            "  cella bench report --runs runs --out measurements.md"
        })
public final class BenchReportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            defaultValue = "docs/measurements",
            description = "the kept runs; the charts are written there (default: ${DEFAULT-VALUE})")
    private String runs = "docs/measurements";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "docs/measurements.md",
            description = "the page (default: ${DEFAULT-VALUE})")
    private String out = "docs/measurements.md";

    @Option(names = "--missing", description = "only print the commands of which no run is kept")
    private boolean missing;

    public BenchReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Path folder = terminal.environment().path(runs);
        Path file = terminal.environment().path(out);
        MeasurementsPage page = new MeasurementsPage(kept(folder), seenFrom(file, folder));
        if (missing) {
            page.missing().forEach(terminal::print);
        } else {
            write(page, file, folder);
        }
        return ExitCode.DONE.number();
    }

    private static String seenFrom(Path file, Path folder) {
        Path absolute = file.toAbsolutePath().normalize();
        return absolute.resolveSibling("")
                .relativize(folder.toAbsolutePath().normalize())
                .toString();
    }

    private List<KeptRun> kept(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw CommandFailure.usage(
                    "there is no folder of runs " + runs, "start this in the source tree, or name one with --runs DIR");
        }
        try {
            return KeptRun.readAll(folder);
        } catch (UnreadableRunException unreadable) {
            throw CommandFailure.failed(
                    String.valueOf(unreadable.getMessage()), "remove the file, or keep the run again with --json");
        }
    }

    private void write(MeasurementsPage page, Path file, Path folder) throws IOException {
        Files.writeString(file, page.markdown());
        terminal.print(file.toString());
        for (Map.Entry<String, String> chart : page.charts().entrySet()) {
            Path drawn = folder.resolve(chart.getKey());
            Files.writeString(drawn, chart.getValue());
            terminal.print(drawn.toString());
        }
    }
}
