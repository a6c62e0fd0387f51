package dev.cella.cli.chaos;

import dev.cella.chaos.CellWorld;
import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.Shrinking;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.World;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.json.JsonCodec;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella chaos shrink}: the fewest faults, schedulers and jobs that still fail. */
@Command(
        name = "shrink",
        header = "Makes a failing run smaller while it still fails.",
        description = "The report of each smaller run is written at once, so Ctrl-C keeps the smallest so far.",
        footer = {"", "Example:", "  cella chaos shrink report/swarm-23.json --out small"})
public final class ChaosShrinkCommand implements Callable<Integer> {
    private static final String SMALL = "small";

    private final Terminal terminal;

    @Parameters(paramLabel = "REPORT", description = "the JSON file that cella chaos run --out wrote")
    private String report = "";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "where the smaller run's report is written (default: " + SMALL + ", beside the report)")
    private @Nullable String out;

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Mixin
    private final ProcessesOption processes = new ProcessesOption();

    public ChaosShrinkCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        ReportedRun reported = ReportedRun.read(report, plugins, terminal);
        OptionalInt enclosed = reported.runEnclosed(processes, terminal);
        if (enclosed.isPresent()) {
            return enclosed.getAsInt();
        }
        ReportFiles small = new ReportFiles(terminal, folder());
        if (out != null) {
            small.prepared();
        }
        CellWorld world = reported.again(plugins, processes, terminal);
        String replay = ReportedRun.replay(small.fileOf(reported.scenario(), reported.seed()), plugins);
        ChaosRun chaos = new ChaosRun(reported.scenario(), world).withCommand(again -> replay);
        Checked failing = ChaosFailure.inWords(
                () -> chaos.run(reported.seed(), reported.scenario().faults(), reported.second()));
        if (failing.holds()) {
            throw nothingToShrink(reported);
        }
        small.write(failing);
        Shrinking shrinking = new Shrinking(failing, world, reported.second(), found -> keep(found, small));
        Shrinking.Shrunk shrunk = ChaosFailure.inWords(shrinking::shrink);
        new RunTable(terminal).print(shrunk.run(), 1);
        terminal.print("as a scenario file, after " + shrunk.runs() + " runs:");
        terminal.print(new JsonCodec()
                .writeYaml(ScenarioFiles.file(shrunk.scenario(), shrunk.faults()))
                .stripTrailing());
        return ChaosExit.VIOLATED.number();
    }

    private CommandFailure nothingToShrink(ReportedRun reported) {
        return ChaosFailure.couldNotRun(
                reported.failed().isEmpty() || reported.world() == World.SIMULATED
                        ? "the run of " + report + " holds: there is nothing to shrink"
                        : "the run of " + report
                                + " failed, and holds this time: no two runs of processes are the same",
                "cella chaos replay " + report + " shows it");
    }

    /** The smaller run has the name of the first, so it may not be beside it. */
    private String folder() {
        String folder = out == null ? Path.of(report).resolveSibling(SMALL).toString() : out;
        Path beside = terminal.environment().path(report).resolveSibling("").normalize();
        if (terminal.environment().path(folder).equals(beside)) {
            throw ChaosFailure.couldNotRun(
                    "--out " + folder + " is the folder of " + report + ", and the smaller run would overwrite it",
                    "name another folder");
        }
        return folder;
    }

    /** Each is a report of its own at once: the next run may take a minute, and Ctrl-C must not lose this one. */
    private void keep(Shrinking.Shrunk found, ReportFiles small) {
        small.replace(found.run());
        terminal.say(Words.plural(found.faults().size(), "fault") + ", "
                + Words.plural(found.scenario().schedulers().size(), "scheduler") + ", "
                + Words.plural(found.scenario().load().jobs(), "job") + ": still fails "
                + String.join(", ", found.run().failed()));
    }
}
