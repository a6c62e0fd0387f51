package dev.cella.cli.bench;

import dev.cella.bench.cell.FeedBench;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella bench feed}: measures how long a commit takes to reach the private replicas. */
@Command(
        name = "feed",
        header = "From a commit to four private replicas that follow the feed, at 25,000 placements a second.",
        description = {
            "The time is that from the outcome at its scheduler to the view of a private replica that shows it;"
                    + " nothing where",
            "the view was first. Every frame is checked against the digests of the cell's tables."
        },
        footer = {"", "Example:", "  cella bench feed --seconds 5"})
public final class BenchFeedCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    /**
     * The main class is that of the command, which is started as the server.
     */
    public BenchFeedCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check("cella bench feed --seconds 5");
        FeedBench.Report report = FeedBench.run(servers.of(mainClass), load.machines(), load.duration());
        return load.format().answer(terminal, report, BenchFeedCommand::data, this::print);
    }

    private static Map<String, Object> data(FeedBench.Report report) {
        Map<String, Object> data = BenchReport.data("feed", report.conditions());
        data.put("replicas", report.replicas());
        data.put("p50Millis", report.p50Millis());
        data.put("p99Millis", report.p99Millis());
        data.put("digestMismatches", report.mismatches());
        data.put("commits", BenchReport.data(report.commits()));
        return data;
    }

    private void print(FeedBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = BenchReport.table();
        BenchReport.row(table, "commit", report.commits());
        table.print(terminal);
        terminal.print("replicas  " + report.replicas() + ", outcome to view p50 "
                + BenchReport.millis(report.p50Millis()) + ", p99 " + BenchReport.millis(report.p99Millis())
                + ", other digests than the cell's " + report.mismatches() + " times");
    }
}
