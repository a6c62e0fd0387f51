package dev.cella.cli.bench;

import dev.cella.bench.cell.CommitBench;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.simulator.experiment.DataText;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella bench commit}: what the commit path does from end to end. */
@Command(
        name = "commit",
        header = "Durable placements a second, through one real server with a synced log.",
        description = {
            "Ten claims a transaction, then one, each as many as go; then 10,000 placements a second for the latency."
                    + " Every",
            "third command releases what the two before it have placed. fsync is on; the times are those at the"
                    + " scheduler."
        },
        footer = {"", "Example:", "  cella bench commit --seconds 5"})
public final class BenchCommitCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    /**
     * The main class is that of the command, which is started as the server.
     */
    public BenchCommitCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check("cella bench commit --seconds 5");
        CommitBench.Report report = CommitBench.run(servers.of(mainClass), load.machines(), load.duration());
        if (load.isJson()) {
            terminal.print(DataText.json(data(report)));
        } else {
            print(report);
        }
        return ExitCode.DONE.number();
    }

    private static Map<String, Object> data(CommitBench.Report report) {
        Map<String, Object> data = BenchReport.data("commit", report.conditions());
        data.put("replicas", report.servers().replicas());
        data.put("rpc", report.servers().rpc());
        report.failoverSeconds().ifPresent(seconds -> data.put("failoverSeconds", seconds));
        data.put("batches", BenchReport.data(report.batches()));
        data.put("singles", BenchReport.data(report.singles()));
        data.put("quiet", BenchReport.data(report.quiet()));
        return data;
    }

    private void print(CommitBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = BenchReport.table();
        BenchReport.row(table, "10 claims a transaction", report.batches());
        BenchReport.row(table, "1 claim a transaction", report.singles());
        BenchReport.row(table, "10,000 placements/s", report.quiet());
        table.print(terminal);
        report.failoverSeconds()
                .ifPresent(seconds -> terminal.print(
                        String.format(Locale.ROOT, "leader    killed: commits again after %.1f s", seconds)));
    }
}
