package dev.cella.cli.demo;

import dev.cella.cli.cell.RunningDev;
import dev.cella.cli.cell.RunningDevs;
import dev.cella.cli.part.Departures;
import dev.cella.cli.part.PartLog;
import dev.cella.cli.part.Parts;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Screen;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.core.Departure;
import dev.cella.state.core.StartRefusedException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code cella demo}: three schedulers on one cell for half a minute, the cost of their conflicts, and a check of the history.
 */
@Command(
        name = "demo",
        header = "Shows three schedulers colliding on one cell, for half a minute.",
        description = {
            "",
            "A cell of its own with 200 hollow machines, in this process and on temporary data. How long the schedulers"
                    + " think is injected: without it they are too fast to collide.",
            ""
        },
        footer = {"", "Examples:", "  cella demo", "  cella demo --keep --seed 7"})
public final class DemoCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;

    private final Terminal terminal;

    @Option(names = "--keep", description = "leave it running afterwards, until Ctrl-C")
    private boolean keep;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "the seed of the jobs (default: 1)")
    private long seed = 1;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7070",
            description = "the port to listen on, on 127.0.0.1; another is taken if it is in use, and 0 takes any"
                    + " (default: 7070)")
    private int port = CellServerOptions.PORT_DEFAULT;

    public DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (port < 0 || port > PORT_MAX) {
            throw CommandFailure.usage("--port is from 0 to " + PORT_MAX + ", not " + port, "see cella demo --help");
        }
        Instant begun = now();
        Parts parts = new Parts(terminal);
        Path data = parts.temporaryFolder("cella-demo-");
        PartLog.toFile(data.resolve("demo.log"));
        DemoReport report = new DemoReport(terminal, Screen.of(terminal.environment()));
        DemoRun run = start(parts, report, data);
        parts.start(() -> run::interrupted);
        report.ready(Duration.between(begun, now()));
        play(run, parts);
        if (keep) {
            announce(parts, run.address(), data);
            report.kept(run.address().toString());
            throw parts.run();
        }
        report.next();
        parts.close();
        return ExitCode.DONE.number();
    }

    private static void play(DemoRun run, Parts parts) throws Exception {
        try {
            run.play();
            run.conclude();
        } catch (RuntimeException failure) {
            parts.passOverWhileLeaving();
            throw failure;
        }
    }

    private Instant now() {
        return terminal.environment().clock().instant();
    }

    private DemoRun start(Parts parts, DemoReport report, Path data) throws Exception {
        Departure departure = Departures.halting(terminal, "the demo's data is lost with it; try it again");
        SplittableRandom random = new SplittableRandom(seed);
        CellServer server = startServer(parts, data, departure, port);
        report.header(seed, server.address(), data, keep);
        URI address = URI.create(server.address());
        DemoWatch watch = parts.start(() -> DemoWatch.start(address, seed));
        DemoCell cell = DemoCell.start(server, data, random.split(), parts);
        DemoJobs jobs = parts.start(() -> new DemoJobs(new HttpCell(address)));
        return DemoRun.begin(cell, watch, jobs, report, terminal.environment().clock(), random.split());
    }

    private static CellServer startServer(Parts parts, Path data, Departure departure, int port) throws Exception {
        try {
            return DemoCell.startServer(data, port, departure, parts);
        } catch (StartRefusedException refused) {
            throw CommandFailure.failed(String.valueOf(refused.getMessage()), refused.hint());
        }
    }

    /** Announces the cell to the other commands. A demo that ends by itself does not hide a cella dev. */
    private void announce(Parts parts, URI address, Path data) throws Exception {
        RunningDevs devs = new RunningDevs(terminal.environment());
        RunningDev self = RunningDev.ofThisProcess(CellAddresses.of(address), data);
        devs.announce(self);
        parts.start(() -> () -> devs.withdraw(self));
    }
}
