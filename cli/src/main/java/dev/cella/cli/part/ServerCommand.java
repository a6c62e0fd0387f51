package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.transactions.model.CellName;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cella server}: keeps a cell, and nothing else. */
@Command(
        name = "server",
        header = "Keeps a cell: its log, its state, its port.",
        description = {"", "Its address is the first line it prints. What it logs goes to standard error.", ""},
        footer = {"", "Example:", "  cella server --data /var/lib/cella --port 7070"})
public final class ServerCommand implements Callable<Integer> {
    private static final String LOG_HINT = "the lines before this one say more; what was acknowledged is on disk";

    private final Terminal terminal;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "where the cell is kept")
    private String data = "";

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "the address to listen on (default: 127.0.0.1)")
    private InetAddress host = InetAddress.getLoopbackAddress();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7070",
            description = "the port to listen on; 0 takes any (default: 7070)")
    private int port = CellServerOptions.PORT_DEFAULT;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description = "a further name by which requests may call this server; may be repeated")
    private Set<String> hostNames = Set.of();

    @Option(
            names = "--cell",
            paramLabel = "NAME",
            defaultValue = "cell",
            description = "the name of the cell (default: cell)")
    private String cell = "cell";

    public ServerCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        PartLog.toStandardError();
        CellServerOptions options = options();
        Parts parts = new Parts(terminal);
        CellServer server = parts.start(() -> CellServer.start(options, Departures.halting(terminal, LOG_HINT)));
        terminal.print(server.address());
        terminal.out().flush();
        throw parts.run();
    }

    private CellServerOptions options() {
        try {
            return CellServerOptions.defaults(terminal.environment().path(data))
                    .withCell(new CellName(cell))
                    .withAddress(host, port)
                    .withHostNames(hostNames);
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.usage(String.valueOf(wrong.getMessage()), "see cella server --help");
        }
    }
}
