package dev.cella.cli.chaos;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.report.RunReport;
import dev.cella.chaos.scenario.World;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella chaos replay}: repeats the run of a report. */
@Command(
        name = "replay",
        header = "Runs the run of a report again, and says whether it is the same.",
        description = "A run of processes gets the same faults at the same times, and is never the same.",
        footer = {"", "Example:", "  cella chaos replay report/leader-loss-7.json"})
public final class ChaosReplayCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "REPORT", description = "the JSON file that cella chaos run --out wrote")
    private String report = "";

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Mixin
    private final ProcessesOption processes = new ProcessesOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public ChaosReplayCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        output.refuseNames();
        ReportedRun reported = ReportedRun.read(report, plugins, terminal);
        OptionalInt enclosed = reported.runEnclosed(processes, terminal);
        if (enclosed.isPresent()) {
            return enclosed.getAsInt();
        }
        ChaosRun chaos = new ChaosRun(reported.scenario(), reported.again(plugins, processes, terminal))
                .withCommand(again -> ReportedRun.replay(report, plugins));
        Checked run = ChaosFailure.inWords(
                () -> chaos.run(reported.seed(), reported.scenario().faults(), reported.second()));
        output.print(terminal, () -> RunReport.data(run), () -> new RunTable(terminal).print(run, 1));
        terminal.say(reported.world() == World.SIMULATED ? compared(reported, run) : judged(reported, run));
        return ChaosExit.of(List.of(run)).number();
    }

    private static String compared(ReportedRun reported, Checked run) {
        return RunReport.digest(run).equals(reported.digest())
                ? "the digest is the report's: it is the same run"
                : "the report has digest " + reported.digest() + ": this Cella does something else";
    }

    /** The same faults at the same times, and never the same run. */
    private static String judged(ReportedRun reported, Checked run) {
        return "no two runs of processes are the same: in the report " + words(reported.failed()) + ", and in this run "
                + words(run.failed());
    }

    private static String words(Set<String> failed) {
        return failed.isEmpty() ? "every checker holds" : String.join(", ", failed) + " failed";
    }
}
