package dev.cella.cli.bench;

import dev.cella.bench.cell.RestBench;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella bench rest}: what servers use that have nothing to do. */
@Command(
        name = "rest",
        header = "How much of a processor each server uses while nobody asks it anything.",
        description = {
            "The machines have no agents, and there is no scheduler. The measurement begins when the JVMs' compilers have little",
            "to do, or after ten minutes."
        },
        footer = {"", "Example:", "  cella bench rest --replicas 3 --rpc netty --seconds 60"})
public final class BenchRestCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    /**
     * The main class is that of the command, which is started as the servers.
     */
    public BenchRestCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check("cella bench rest --seconds 60");
        RestBench.Report report = RestBench.run(
                servers.of(mainClass), load.machines(), RestBench.SETTLING_MAX, load.duration(), terminal::say);
        return load.format().answer(terminal, report, BenchRestCommand::data, this::print);
    }

    private static Map<String, Object> data(RestBench.Report report) {
        Map<String, Object> data = BenchReport.data("rest", report.conditions());
        data.put("machines", report.machines());
        data.put("replicas", report.servers().replicas());
        data.put("rpc", report.servers().rpc());
        data.put("electionTimeout", report.servers().electionTimeout());
        data.put(
                "resting", report.resting().stream().map(BenchRestCommand::data).toList());
        return data;
    }

    private static Map<String, Object> data(RestBench.Resting server) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("leader", server.leads());
        data.put("percent", server.percent());
        data.put("mib", server.mib());
        return data;
    }

    private void print(RestBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = new Table("SERVER", ">OF A PROCESSOR", ">MEMORY");
        for (RestBench.Resting server : report.resting()) {
            table.row(
                    server.leads() ? "leader" : "follower",
                    String.format(Locale.ROOT, "%.2f %%", server.percent()),
                    BenchReport.mib(server.mib()));
        }
        table.print(terminal);
    }
}
