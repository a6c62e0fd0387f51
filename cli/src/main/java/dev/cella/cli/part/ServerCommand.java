package dev.cella.cli.part;

import dev.cella.chaos.processes.LiveTarget;
import dev.cella.cli.cell.CertificateNote;
import dev.cella.cli.plugin.Replays;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.access.Tls;
import dev.cella.client.proto.ServerConfiguration;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella server}: keeps a cell, and nothing else. */
@Command(
        name = "server",
        header = "Keeps a cell: its log, its state, its port.",
        description = {
            "",
            "Its address is the first line it prints. It logs to standard error. Start each of several"
                    + " replicas with the same file; they found the cell when all are there.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella server --data /var/lib/cella --port 7070",
            "  cella server --config /etc/cella/server.yaml --replica r1"
        })
public final class ServerCommand implements Callable<Integer> {
    private static final String LOG_HINT = "the lines before this one say more; what was acknowledged is on disk";

    /** Behind the address in the first line, for everybody to see. */
    private static final String ANYBODY = " is insecure: anybody who reaches it may give orders";

    private final Terminal terminal;

    @Mixin
    private final ConfigurationOption<ServerConfiguration> configuration;

    @Mixin
    private final ChaosSwitch chaos = new ChaosSwitch();

    @Mixin
    private final ServerFlags flags = new ServerFlags();

    public ServerCommand(Terminal terminal) {
        this.terminal = terminal;
        this.configuration = new ConfigurationOption<>(ServerConfiguration.getDefaultInstance(), terminal);
    }

    @Override
    public Integer call() throws Exception {
        PartLog.toStandardError();
        CellServerOptions options =
                ServerSettings.read(flags, configuration.file(), terminal).withReplay(Replays.of(List.of()));
        if (flags.rehearse()) {
            Rehearsal.run(options.data().resolveSibling("rehearsal"));
        }
        options.access()
                .security()
                .tls()
                .flatMap(Tls::expiresAt)
                .flatMap(end ->
                        CertificateNote.of(end, terminal.environment().clock().instant()))
                .ifPresent(terminal::say);
        Parts parts = new Parts(terminal);
        if (flags.untilInputEnds()) {
            parts.endWith(inputEnds(), "");
        }
        CellServer server = parts.start(() -> CellServer.start(options, Departures.halting(terminal, LOG_HINT)));
        chaos.allow(
                terminal,
                parts,
                Set.of(LiveTarget.Role.SERVER),
                options.replica().membership().self(),
                List.of(URI.create(server.address())),
                flags.untilInputEnds());
        terminal.print(server.address() + (flags.insecure() ? ANYBODY : ""));
        terminal.out().flush();
        throw parts.run();
    }

    /** A parent process that is killed cannot tell its children to stop, but the system closes its end of the pipe. */
    private CompletableFuture<String> inputEnds() {
        CompletableFuture<String> ended = new CompletableFuture<>();
        Thread reader = new Thread(() -> readToTheEnd(ended), "input");
        reader.setDaemon(true);
        reader.start();
        return ended;
    }

    private void readToTheEnd(CompletableFuture<String> ended) {
        try {
            terminal.in().transferTo(OutputStream.nullOutputStream());
            ended.complete("the process that started this server is gone");
        } catch (IOException failure) {
            ended.complete("the process that started this server cannot be watched any more: " + failure.getMessage());
        }
    }
}
