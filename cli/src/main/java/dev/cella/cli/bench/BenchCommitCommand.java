package dev.cella.cli.bench;

import dev.cella.bench.cell.CommitBench;
import dev.cella.bench.cell.Conditions;
import dev.cella.bench.cell.LoadResults;
import dev.cella.bench.cell.ReadTimes;
import dev.cella.bench.cell.Servers;
import dev.cella.bench.peer.PeerBench;
import dev.cella.bench.peer.PeerFigures;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench commit}: measures the commit path from end to end. */
@Command(
        name = "commit",
        header = "Durable placements a second, through one real server with a synced log.",
        description = {
            "Ten claims a transaction, then one, each as many as go; then 10,000 placements a second for the latency."
                    + " Every",
            "third command releases what the two before it have placed. fsync is on; the times are those at the"
                    + " scheduler.",
            "With three replicas the same placements follow as transactions of etcd (its HTTP gateway) and of ZooKeeper,"
                    + " three",
            "servers each, where they are installed."
        },
        footer = {"", "Example:", "  cella bench commit --seconds 5"})
public final class BenchCommitCommand implements Callable<Integer> {
    private static final int PEERS_MEMBERS = 3;

    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    @Option(names = "--no-peers", description = "measure no etcd and no ZooKeeper")
    private boolean noPeers;

    @Option(
            names = "--only-quiet",
            description = "measure only the 10,000 placements a second, to compare two programs quickly")
    private boolean onlyQuiet;

    /** The main class is that of the command, which is started as the server. */
    public BenchCommitCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check("cella bench commit --seconds 5");
        Servers measured = servers.of(mainClass);
        if (onlyQuiet) {
            print(CommitBench.runQuietly(measured, load.machines(), load.duration(), terminal::say), measured);
            return ExitCode.DONE.number();
        }
        CommitBench.Report report = CommitBench.run(measured, load.machines(), load.duration(), terminal::say);
        if (!load.format().isJson()) {
            print(report);
        }
        List<PeerBench.Result> peers = List.of();
        if (measured.replicas() == PEERS_MEMBERS && !noPeers) {
            terminal.say("now the peers, those that are installed");
            peers = PeerBench.run(load.duration());
        }
        if (load.format().isJson()) {
            Map<String, Object> data = data(report, load.machines());
            data.put("peers", peers.stream().map(BenchCommitCommand::data).toList());
            load.format().printRun(terminal, data);
        } else {
            peers.forEach(peer -> print(peer, report));
        }
        return ExitCode.DONE.number();
    }

    /** It is warmed in another way than as the last of three loads, so it is a bench of its own. */
    private void print(CommitBench.QuietReport report, Servers measured) {
        if (load.format().isJson()) {
            Map<String, Object> data = data("commit-quiet", report.conditions(), measured, load.machines());
            data.put("quiet", BenchReport.data(report.quiet()));
            load.format().printRun(terminal, data);
        } else {
            Table table = BenchReport.table();
            BenchReport.row(table, "10,000 placements/s", report.quiet());
            table.print(terminal);
        }
    }

    private static Map<String, Object> data(String bench, Conditions conditions, Servers servers, int machines) {
        Map<String, Object> data = BenchReport.data(bench, conditions);
        data.put("machines", machines);
        data.put("replicas", servers.replicas());
        data.put("rpc", servers.rpc());
        data.put("electionTimeout", servers.electionTimeout());
        return data;
    }

    private static Map<String, Object> data(CommitBench.Report report, int machines) {
        Map<String, Object> data = data("commit", report.conditions(), report.servers(), machines);
        data.put("batches", BenchReport.data(report.batches()));
        data.put("singles", BenchReport.data(report.singles()));
        data.put("quiet", BenchReport.data(report.quiet()));
        data.put("reads", data(report.reads()));
        return data;
    }

    private static Map<String, Object> data(ReadTimes reads) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("p50Millis", reads.p50Millis());
        data.put("p99Millis", reads.p99Millis());
        data.put("linearizableP50Millis", reads.linearizableP50Millis());
        data.put("linearizableP99Millis", reads.linearizableP99Millis());
        return data;
    }

    private static Map<String, Object> data(PeerBench.Result peer) {
        Map<String, Object> data = new LinkedHashMap<>();
        if (peer instanceof PeerBench.Measured measured) {
            data.put("name", measured.name());
            data.put("batches", data(measured.batches()));
            data.put("singles", data(measured.singles()));
        } else if (peer instanceof PeerBench.NotInstalled missing) {
            data.put("name", missing.name());
            data.put("install", missing.howToInstall());
        }
        return data;
    }

    private static Map<String, Object> data(PeerFigures figures) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("placementsPerSecond", figures.placementsPerSecond());
        data.put("p50Millis", figures.p50Millis());
        data.put("p99Millis", figures.p99Millis());
        data.put("serverCpuMicrosPerClaim", figures.serverCpuMicros());
        return data;
    }

    private void print(PeerBench.Result peer, CommitBench.Report report) {
        if (peer instanceof PeerBench.NotInstalled missing) {
            terminal.print(
                    "%-9s not measured: it is not installed (%s)".formatted(missing.name(), missing.howToInstall()));
        } else if (peer instanceof PeerBench.Measured measured) {
            print(measured.name(), "10 claims", measured.batches(), report.batches());
            print(measured.name(), "1 claim", measured.singles(), report.singles());
        }
    }

    private void print(String peer, String claims, PeerFigures figures, LoadResults cell) {
        terminal.print(String.format(
                Locale.ROOT,
                "%-9s %s a transaction: %,.0f placements/s, p50 %s, p99 %s, %.0f us of its CPU a claim; the cell makes %.1f times as many",
                peer,
                claims,
                figures.placementsPerSecond(),
                BenchReport.millis(figures.p50Millis()),
                BenchReport.millis(figures.p99Millis()),
                figures.serverCpuMicros(),
                cell.placementsPerSecond() / figures.placementsPerSecond()));
    }

    private void print(CommitBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = BenchReport.table();
        BenchReport.row(table, "10 claims a transaction", report.batches());
        BenchReport.row(table, "1 claim a transaction", report.singles());
        BenchReport.row(table, "10,000 placements/s", report.quiet());
        table.print(terminal);
        print(report.reads());
    }

    private void print(ReadTimes reads) {
        terminal.print("read      at the leader, idle: p50 %s, p99 %s; linearizable: p50 %s, p99 %s"
                .formatted(
                        BenchReport.millis(reads.p50Millis()),
                        BenchReport.millis(reads.p99Millis()),
                        BenchReport.millis(reads.linearizableP50Millis()),
                        BenchReport.millis(reads.linearizableP99Millis())));
    }
}
