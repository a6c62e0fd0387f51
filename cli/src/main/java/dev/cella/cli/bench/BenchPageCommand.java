package dev.cella.cli.bench;

import dev.cella.bench.cell.PageBench;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench page}: measures what the console's page costs while a cell places many tasks. */
@Command(
        name = "page",
        header = "The console's page in a real browser, on a cell that places 20,000 tasks a second.",
        description = {
            "The load runs twice: without the page, and then with it. The command needs Chromium. The memory of a browser with",
            "an empty page is subtracted from that of the browser. Memory that processes share is counted once."
        },
        footer = {"", "Example:", "  cella bench page --seconds 20"})
public final class BenchPageCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "20000",
            description = "placements a second; as many tasks are released (default: ${DEFAULT-VALUE})")
    private int rate;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    /** The main class is that of the command, which is started as the server. */
    public BenchPageCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check("cella bench page --seconds 20");
        if (rate < 20) {
            throw CommandFailure.usage("the rate is at least 20 placements a second", "--rate 20000");
        }
        PageBench.Report report = PageBench.run(servers.of(mainClass), load.machines(), rate, load.duration());
        return load.format().answer(terminal, report, BenchPageCommand::data, this::print);
    }

    private static Map<String, Object> data(PageBench.Report report) {
        Map<String, Object> data = BenchReport.data("page", report.conditions());
        data.put("pageCores", report.pageCores());
        data.put("pageMebibytes", report.pageMebibytes());
        data.put("browserMebibytes", report.browserMebibytes());
        data.put("without", BenchReport.data(report.without()));
        data.put("with", BenchReport.data(report.with()));
        return data;
    }

    private void print(PageBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = BenchReport.table();
        BenchReport.row(table, "without the page", report.without());
        BenchReport.row(table, "with the page", report.with());
        table.print(terminal);
        terminal.print(String.format(
                Locale.ROOT,
                "page      %.0f %% of a core, %.0f MiB; the whole browser %.0f MiB beyond an empty page",
                100 * report.pageCores(),
                report.pageMebibytes(),
                report.browserMebibytes()));
    }
}
