package dev.cella.cli.bench;

import dev.cella.bench.cell.HostileBench;
import dev.cella.bench.cell.HostileBench.Turn;
import dev.cella.bench.cell.Servers;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench hostile}: a client's answer times beside hostile callers. */
@Command(
        name = "hostile",
        header = "How long a client waits for answers alone, and beside hostile callers.",
        description = {
            "One closed server. Four callers send wrong tokens, hosts, origins, bodies and heads, each on a connection of its own;",
            "a client with a token reads the list of jobs every 5 ms. Turns with and without them follow each other."
        },
        footer = {"", "Example:", "  cella bench hostile --requests 500"})
public final class BenchHostileCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "500",
            description = "hostile requests a turn (default: ${DEFAULT-VALUE})")
    private int requests;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "3",
            description = "turns of each kind (default: ${DEFAULT-VALUE})")
    private int turns;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    /**
     * The main class is that of the command, which is started as the server.
     */
    public BenchHostileCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        if (requests < 1 || turns < 1) {
            throw CommandFailure.usage("there is at least one request and one turn", "cella bench hostile --turns 3");
        }
        HostileBench.Report report = HostileBench.run(Servers.one(mainClass), requests, turns);
        return format.answer(terminal, report, BenchHostileCommand::data, this::print);
    }

    private static Map<String, Object> data(HostileBench.Report report) {
        Map<String, Object> data = BenchReport.data("hostile", report.conditions());
        data.put("requests", report.requests());
        data.put("turns", report.turns().stream().map(BenchHostileCommand::data).toList());
        return data;
    }

    private static Map<String, Object> data(Turn turn) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("hostile", turn.hostile());
        data.put("p50Millis", turn.p50Millis());
        data.put("p99Millis", turn.p99Millis());
        data.put("reads", turn.reads());
        data.put("refused", turn.refused());
        return data;
    }

    private void print(HostileBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = new Table("CLIENT", ">p50", ">p99", ">READS", ">REFUSED");
        for (Turn turn : report.turns()) {
            table.row(
                    turn.hostile() ? "beside " + report.requests() + " hostile requests" : "alone",
                    BenchReport.millis(turn.p50Millis()),
                    BenchReport.millis(turn.p99Millis()),
                    turn.reads(),
                    turn.hostile() ? turn.refused() : "");
        }
        table.print(terminal);
    }
}
