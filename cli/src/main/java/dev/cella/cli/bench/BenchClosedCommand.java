package dev.cella.cli.bench;

import dev.cella.bench.cell.ClosedBench;
import dev.cella.bench.cell.LoadResults;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench closed}: the price of TLS and tokens. */
@Command(
        name = "closed",
        header = "What TLS and tokens cost: placements a second of an open and of a closed cell, in turns.",
        description = {
            "Two cells run at once, and one of them is loaded at a time: ten claims a transaction, at full speed. The replicas of",
            "the closed cell talk to each other over TLS too."
        },
        footer = {"", "Example:", "  cella bench closed --replicas 3 --seconds 10"})
public final class BenchClosedCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often each cell is measured (default: ${DEFAULT-VALUE})")
    private int turns;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    /**
     * The main class is that of the command, which is started as the server.
     */
    public BenchClosedCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check("cella bench closed --seconds 5");
        if (turns < 1) {
            throw CommandFailure.usage("each cell is measured at least once", "cella bench closed --turns 3");
        }
        ClosedBench.Report report =
                ClosedBench.run(servers.of(mainClass), load.machines(), load.duration(), turns, terminal::say);
        return load.format().answer(terminal, report, BenchClosedCommand::data, this::print);
    }

    private static Map<String, Object> data(ClosedBench.Report report) {
        Map<String, Object> data = BenchReport.data("closed", report.conditions());
        data.put("open", report.open().stream().map(BenchReport::data).toList());
        data.put("closed", report.closed().stream().map(BenchReport::data).toList());
        data.put("costInPlacements", costInPlacements(report));
        data.put("costInServerCpu", costInServerCpu(report));
        return data;
    }

    /** The lost fraction of the placements. */
    private static double costInPlacements(ClosedBench.Report report) {
        return 1
                - median(report.closed(), LoadResults::placementsPerSecond)
                        / median(report.open(), LoadResults::placementsPerSecond);
    }

    private static double costInServerCpu(ClosedBench.Report report) {
        return median(report.closed(), LoadResults::serverCpuMicros)
                        / median(report.open(), LoadResults::serverCpuMicros)
                - 1;
    }

    private static double median(List<LoadResults> turns, ToDoubleFunction<LoadResults> figure) {
        double[] sorted = turns.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private void print(ClosedBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = BenchReport.table();
        for (int turn = 0; turn < report.open().size(); turn++) {
            BenchReport.row(table, "open", report.open().get(turn));
            BenchReport.row(table, "closed", report.closed().get(turn));
        }
        table.print(terminal);
        terminal.print(String.format(
                Locale.ROOT,
                "closed    %.0f %% fewer placements a second in the median, %.0f %% more of the servers' CPU a claim",
                100 * costInPlacements(report),
                100 * costInServerCpu(report)));
    }
}
