package dev.cella.cli.simulate;

import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunDraft;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.sweep.MeasuredRun;
import dev.cella.simulator.sweep.Sweep;
import dev.cella.simulator.workload.Trace;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella simulate run}: one run and its results. */
@Command(
        name = "run",
        header = "Runs one architecture on one cell, in virtual time.",
        description = {
            "Everything that is not said is as in the dissertation. The same seed gives the same result.",
            "A row of the result is a scheduler and a workload; the busy fractions of a scheduler's rows add up."
        },
        footer = {
            "",
            "Example:",
            "  cella simulate run --cell A --service-decision-time 10s+5ms*tasks --conflict-rule machine --days 1"
        })
public final class SimulateRunCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final RunOptions options = RunOptions.ofOneRun();

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public SimulateRunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        output.refuseNames();
        SchedulerTypes types = plugins.types(terminal);
        Experiments experiments = new Experiments(types.providers());
        RunDraft draft = options.draft();
        RunParameters parameters = RunOptions.parameters(draft, experiments, types);
        options.sayWithoutEffect(terminal, List.of(parameters.architecture()));
        List<Trace> traces = options.readTraces(terminal);
        if (parameters.architecture().equals("monolithic") && draft.saysTwoDecisionTimes()) {
            terminal.say("monolithic has one decision time for all jobs: the service jobs'");
        }
        ProgressLines progress = new ProgressLines(terminal);
        MeasuredRun run = new Sweep(experiments, 1, progress::reached)
                .run(List.of(parameters), traces)
                .get(0);
        output.print(terminal, () -> run.report(options.traces()), () -> print(run));
        return ExitCode.DONE.number();
    }

    private void print(MeasuredRun run) {
        Geometry geometry = run.parameters().geometry();
        terminal.print(String.format(
                Locale.ROOT,
                "%s, cell %s: %,d machines of %d cpuMilli and %d memoryMib, tasks of %d and %d, prefilled to %s,"
                        + " %s days, seed %d",
                run.parameters().architecture(),
                run.parameters().cell(),
                geometry.machines(),
                geometry.machineCpuMilli(),
                geometry.machineMemoryMib(),
                geometry.taskCpuMilli(),
                geometry.taskMemoryMib(),
                geometry.prefill(),
                run.parameters().days(),
                run.parameters().seed()));
        printSchedulers(run.result().schedulers());
        terminal.print(String.format(
                Locale.ROOT,
                "%,d placements, %.1f %% of the cores in use; %.1f s, %,.0f placements a CPU-second",
                run.result().placements(),
                run.result().cpuUtilisation() * 100,
                run.wallSeconds(),
                run.placementsPerCpuSecond()));
    }

    private void printSchedulers(List<SchedulerRow> rows) {
        Table table = new Table(
                "SCHEDULER",
                "TYPE",
                "WORKLOAD",
                ">SUBMITTED",
                ">PLACED",
                ">QUEUED",
                ">ABANDONED",
                ">FIRST ATTEMPT",
                ">p90",
                ">FULLY PLACED",
                ">p90",
                ">BUSY",
                ">WASTED",
                ">CONFLICTED",
                ">FRACTION",
                ">CLAIMS LOST");
        for (SchedulerRow row : rows) {
            table.row(
                    row.name(),
                    row.type(),
                    row.workload().word(),
                    count(row.jobsSubmitted()),
                    count(row.jobsFullyScheduled()),
                    count(row.jobsQueued()),
                    count(row.jobsAbandoned()),
                    seconds(row.meanWaitFirstAttemptSeconds()),
                    seconds(row.p90WaitFirstAttemptSeconds()),
                    seconds(row.meanWaitFullyScheduledSeconds()),
                    seconds(row.p90WaitFullyScheduledSeconds()),
                    fraction(row.busyFraction()),
                    fraction(row.wastedBusyFraction()),
                    count(row.transactionsConflicted()),
                    row.conflictFraction().isPresent()
                            ? fraction(row.conflictFraction().getAsDouble())
                            : "",
                    count(row.claimsConflicted()));
        }
        table.print(terminal);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String fraction(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String seconds(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.2f s", value.getAsDouble()) : "";
    }
}
