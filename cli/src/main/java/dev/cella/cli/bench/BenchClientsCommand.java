package dev.cella.cli.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.cella.bench.cell.ClientsBench;
import dev.cella.bench.cell.ClientsBench.Memory;
import dev.cella.bench.cell.Servers;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench clients}: the memory of a server with many clients. */
@Command(
        name = "clients",
        header = "How much memory a server uses with many idle connections and watchers of the feed.",
        description = {
            "One closed server. Connections are over TLS, and each asks once before it is idle; each watcher follows the feed"
                    + " while the",
            "cell commits 20 placements a second. Both processes need files: ulimit -n 17000 is enough for the example."
        },
        footer = {"", "Example:", "  cella bench clients --connections 10000 --watchers 1000"})
public final class BenchClientsCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1000",
            description = "idle connections (default: ${DEFAULT-VALUE})")
    private int connections;

    @Option(
            names = "--watchers",
            paramLabel = "N",
            defaultValue = "100",
            description = "connections that follow the feed (default: ${DEFAULT-VALUE})")
    private int watchers;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    /**
     * The main class is that of the command, which is started as the server.
     */
    public BenchClientsCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        if (connections < 1 || watchers < 1) {
            throw CommandFailure.usage(
                    "there is at least one connection and one watcher", "cella bench clients --connections 1000");
        }
        requireFiles();
        ClientsBench.Report report = ClientsBench.run(Servers.one(mainClass), connections, watchers);
        return format.answer(terminal, report, BenchClientsCommand::data, this::print);
    }

    private void requireFiles() {
        long needed = ClientsBench.filesNeeded(connections + watchers);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < needed) {
            throw CommandFailure.failed(
                    "a process may open %,d files here, and %,d clients need %,d"
                            .formatted(system.getMaxFileDescriptorCount(), connections + watchers, needed),
                    "ulimit -n %d, or fewer clients".formatted(needed));
        }
    }

    private static Map<String, Object> data(ClientsBench.Report report) {
        Map<String, Object> data = BenchReport.data("clients", report.conditions());
        data.put("connections", report.connections());
        data.put("watchers", report.watchers());
        data.put("answered", report.answered());
        data.put("following", report.following());
        data.put("aloneMib", report.alone().mib());
        data.put("idleMib", report.idle().mib());
        data.put("watchedMib", report.watched().mib());
        data.put("mibMax", report.watched().mibMax());
        data.put("pauseMillis", report.pauseMillis());
        return data;
    }

    private void print(ClientsBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = new Table("SERVER WITH", ">MEMORY", ">AT MOST");
        row(table, "no client", report.alone());
        row(table, String.format(Locale.ROOT, "%,d idle connections", report.connections()), report.idle());
        row(table, String.format(Locale.ROOT, "and %,d watchers", report.watchers()), report.watched());
        table.print(terminal);
        terminal.print(String.format(
                Locale.ROOT,
                "clients   %,d idle connections were answered again, %,d watchers followed, commits stopped for at most %.0f ms",
                report.answered(),
                report.following(),
                report.pauseMillis()));
    }

    private static void row(Table table, String what, Memory memory) {
        table.row(what, BenchReport.mib(memory.mib()), BenchReport.mib(memory.mibMax()));
    }
}
