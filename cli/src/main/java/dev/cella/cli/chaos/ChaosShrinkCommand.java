package dev.cella.cli.chaos;

import dev.cella.chaos.CellWorld;
import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.Shrinking;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.World;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.json.JsonCodec;
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
        footer = {"", "Example:", "  cella chaos shrink report/swarm-23.json --out small"})
public final class ChaosShrinkCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "REPORT", description = "the JSON file that cella chaos run --out wrote")
    private String report = "";

    @Option(names = "--out", paramLabel = "DIR", description = "where the smaller run's report is written")
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
        ReportedRun reported = ReportedRun.read(report, terminal);
        OptionalInt enclosed = reported.runEnclosed(processes, terminal);
        if (enclosed.isPresent()) {
            return enclosed.getAsInt();
        }
        CellWorld world = reported.again(plugins, processes, terminal);
        Checked failing = new ChaosRun(reported.scenario(), world)
                .run(reported.seed(), reported.scenario().faults(), false);
        if (failing.holds()) {
            throw ChaosFailure.couldNotRun(
                    reported.failed().isEmpty() || reported.world() == World.SIMULATED
                            ? "the run of " + report + " holds: there is nothing to shrink"
                            : "the run of " + report
                                    + " failed, and holds this time: no two runs of processes are the same",
                    "cella chaos replay " + report + " shows it");
        }
        Shrinking.Shrunk shrunk = new Shrinking(failing, world, terminal::say).shrink();
        new ReportFiles(terminal, out).write(shrunk.run());
        new RunTable(terminal).print(shrunk.run(), 1);
        terminal.print("as a scenario file, after " + shrunk.runs() + " runs:");
        terminal.print(new JsonCodec()
                .writeYaml(ScenarioFiles.file(shrunk.scenario(), shrunk.faults()))
                .stripTrailing());
        return ChaosExit.VIOLATED.number();
    }
}
