package dev.cella.cli.chaos;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.proto.ReplayFile;
import dev.cella.chaos.report.RunReport;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella chaos replay}: repeats the run of a report. */
@Command(
        name = "replay",
        header = "Runs the run of a report again, and says whether it is the same.",
        footer = {"", "Example:", "  cella chaos replay report/leader-loss-7.json"})
public final class ChaosReplayCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "REPORT", description = "the JSON file that cella chaos run --out wrote")
    private String report = "";

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public ChaosReplayCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ReplayFile file = new ReportFiles(terminal, null).read(report);
        Scenario scenario = ScenarioFiles.scenario(file.getReplay());
        Checked run = new ChaosRun(scenario, plugins.types(terminal)).run(file.getSeed(), scenario.faults(), false);
        output.print(terminal, () -> RunReport.data(run), () -> new RunTable(terminal).print(run, 1));
        boolean same = RunReport.digest(run).equals(file.getDigest());
        terminal.say(
                same
                        ? "the digest is the report's: it is the same run"
                        : "the report has digest " + file.getDigest() + ": this Cella does something else");
        return ChaosExit.of(List.of(run)).number();
    }
}
