package dev.cella.cli.bench;

import dev.cella.bench.cell.FailoverBench;
import dev.cella.bench.cell.Servers;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench failover}: measures what users see when the leader is killed, leaves or is paused. */
@Command(
        name = "failover",
        header = "How long nobody commits after the leader was killed.",
        description = {
            "The leader is killed as by kill -9 while 500 transactions a second come. The time is that until a transaction"
                    + " that was",
            "begun later is answered. The killed server starts again before the next kill.",
            "",
            "A leader can also be asked to stop (--leaves): the time is the longest that a transaction took meanwhile, and two"
                    + " users of",
            "the HTTP API count their errors. With --transfers no server stops: each leads again after the others, with code"
                    + " that ran",
            "before. Or the leader's process is stopped for a while (--pauses), half of the times in an idle cell: no other"
                    + " replica should",
            "begin to lead."
        },
        footer = {
            "",
            "Examples:",
            "  cella bench failover --replicas 3 --kills 50 --election-timeout 500ms",
            "  cella bench failover --replicas 3 --kills 0 --leaves 20 --election-timeout 500ms",
            "  cella bench failover --replicas 3 --kills 0 --pauses 1000 --pause 300ms --election-timeout 500ms"
        })
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

    @Option(
            names = "--leaves",
            paramLabel = "N",
            defaultValue = "0",
            description = "how often the leader is asked to stop (default: ${DEFAULT-VALUE})")
    private int leaves;

    @Option(
            names = "--transfers",
            paramLabel = "N",
            defaultValue = "0",
            description = "how often the leadership is transferred to the next server (default: ${DEFAULT-VALUE})")
    private int transfers;

    @Option(
            names = "--pauses",
            paramLabel = "N",
            defaultValue = "0",
            description = "how often the leader's process is stopped for a while (default: ${DEFAULT-VALUE})")
    private int pauses;

    @Option(
            names = "--pause",
            paramLabel = "TIME",
            defaultValue = "300ms",
            description = "how long it is stopped (default: ${DEFAULT-VALUE})")
    private Duration pause = Duration.ofMillis(300);

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
        if (IntStream.of(kills, leaves, transfers, pauses).min().orElse(0) < 0
                || kills + leaves + transfers + pauses == 0) {
            throw CommandFailure.usage(
                    "the leader is killed, leaves, is transferred or is paused at least once", EXAMPLE);
        }
        FailoverBench.Report report = FailoverBench.run(
                measured,
                load.machines(),
                load.duration(),
                new FailoverBench.Faults(kills, leaves, transfers, pauses, pause),
                terminal::say);
        if (load.format().isJson()) {
            load.format().printRun(terminal, data(report));
        } else {
            BenchReport.print(report.conditions(), terminal);
            print(report);
        }
        return ExitCode.DONE.number();
    }

    private void print(FailoverBench.Report report) {
        if (kills > 0) {
            terminal.print("leader    killed: commits again after " + spread(report.failoverSeconds()));
        }
        if (leaves > 0) {
            terminal.print("leader    asked to stop: a transaction took up to " + spread(report.handoverSeconds())
                    + "; errors: " + report.errors());
        }
        if (transfers > 0) {
            terminal.print("leader    transferred: a transaction took up to " + spread(report.transferSeconds())
                    + "; errors: " + report.errors());
        }
        if (pauses > 0) {
            terminal.print("leader    paused " + pauses + " times for " + pause.toMillis() + " ms: elections: "
                    + report.elections());
        }
    }

    private static Map<String, Object> data(FailoverBench.Report report) {
        Map<String, Object> data = BenchReport.data("failover", report.conditions());
        data.put("machines", report.machines());
        data.put("replicas", report.servers().replicas());
        data.put("rpc", report.servers().rpc());
        data.put("electionTimeout", report.servers().electionTimeout());
        if (report.faults().kills() > 0) {
            data.put("failoverSeconds", report.failoverSeconds());
        }
        if (report.faults().leaves() > 0) {
            data.put("handoverMillis", millis(report.handoverSeconds()));
            data.put("errors", report.errors());
        }
        if (report.faults().transfers() > 0) {
            data.put("transferMillis", millis(report.transferSeconds()));
            data.put("errors", report.errors());
        }
        if (report.faults().pauses() > 0) {
            data.put("pauses", report.faults().pauses());
            data.put("pauseMillis", report.faults().pause().toMillis());
            data.put("elections", report.elections());
        }
        return data;
    }

    private static List<Double> millis(List<Double> seconds) {
        return seconds.stream().map(each -> each * 1000).toList();
    }

    /** With up to a hundred values, the p99 is the greatest. */
    private static String spread(List<Double> all) {
        List<Double> sorted = all.stream().sorted().toList();
        double p50 = (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
        double p99 = sorted.get((int) Math.ceil(0.99 * sorted.size()) - 1);
        return String.format(Locale.ROOT, "%s s; p50 %.3f s, p99 %.3f s", seconds(all), p50, p99);
    }

    private static String seconds(List<Double> all) {
        return all.stream()
                .map(seconds -> String.format(Locale.ROOT, "%.2f", seconds))
                .collect(Collectors.joining(", "));
    }
}
