package dev.cella.cli.bench;

import dev.cella.bench.cell.FailoverBench;
import dev.cella.bench.cell.Servers;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench failover}: measures how long nobody commits after a leader was killed. */
@Command(
        name = "failover",
        header = "How long nobody commits after the leader was killed.",
        description = {
            "The leader is killed as by kill -9 while 500 transactions a second come. The time is that until a transaction"
                    + " that was",
            "begun later is answered. The killed server starts again before the next kill."
        },
        footer = {"", "Example:", "  cella bench failover --replicas 3 --kills 50 --election-timeout 500ms"})
public final class BenchFailoverCommand implements Callable<Integer> {
    private static final String EXAMPLE = "cella bench failover --replicas 3";

    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "10",
            description = "how often the leader is killed (default: ${DEFAULT-VALUE})")
    private int kills;

    /** The main class is that of the command, which is started as the server. */
    public BenchFailoverCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check(EXAMPLE);
        Servers measured = servers.of(mainClass);
        if (measured.replicas() == 1) {
            throw CommandFailure.usage("one replica has nobody to take over from it", EXAMPLE);
        }
        if (kills < 1) {
            throw CommandFailure.usage("the leader is killed at least once", EXAMPLE);
        }
        FailoverBench.Report report =
                FailoverBench.run(measured, load.machines(), load.duration(), kills, terminal::say);
        if (load.format().isJson()) {
            load.format().printRun(terminal, data(report));
        } else {
            BenchReport.print(report.conditions(), terminal);
            terminal.print("leader    killed: commits again after " + seconds(report.failoverSeconds()) + " s");
        }
        return ExitCode.DONE.number();
    }

    private static Map<String, Object> data(FailoverBench.Report report) {
        Map<String, Object> data = BenchReport.data("failover", report.conditions());
        data.put("machines", report.machines());
        data.put("replicas", report.servers().replicas());
        data.put("rpc", report.servers().rpc());
        data.put("electionTimeout", report.servers().electionTimeout());
        data.put("failoverSeconds", report.failoverSeconds());
        return data;
    }

    private static String seconds(List<Double> failovers) {
        return failovers.stream()
                .map(seconds -> String.format(Locale.ROOT, "%.2f", seconds))
                .collect(Collectors.joining(", "));
    }
}
