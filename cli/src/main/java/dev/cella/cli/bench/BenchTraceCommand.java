package dev.cella.cli.bench;

import dev.cella.bench.trace.TraceBench;
import dev.cella.bench.trace.TraceFigures;
import dev.cella.cli.simulate.Impossible;
import dev.cella.cli.simulate.ProgressLines;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.sweep.MeasuredRun;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench trace}: measures how long every architecture simulates one trace on many one-slot workers. */
@Command(
        name = "trace",
        header = "Time of one trace in every architecture: 312,000 tasks on 50,000 one-slot workers.",
        description = {
            "",
            "Runs a trace as cella compare does, with one seed and no decision time: as many architectures at",
            "a time as there are processors. The trace is drawn from the seed: jobs of 42 tasks on average",
            "that run for 26 s on average. CPU is the time of the thread that simulates. In the row of all it",
            "is that of the process, with the compilers and the collector, and TIME is from the first start",
            "to the last end.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella bench trace",
            "  cella bench trace --architectures replicated,monolithic --machines 10000 --tasks 100000"
        })
public final class BenchTraceCommand implements Callable<Integer> {
    private static final int MACHINES = 50_000;
    private static final int TASKS = 312_000;

    private final Terminal terminal;

    @Option(
            names = "--machines",
            paramLabel = "N",
            defaultValue = "" + MACHINES,
            description = "workers of one slot (default: ${DEFAULT-VALUE})")
    private int machines = MACHINES;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "" + TASKS,
            description = "tasks of all jobs together (default: ${DEFAULT-VALUE})")
    private int tasks = TASKS;

    @Option(
            names = "--load",
            paramLabel = "LOAD",
            defaultValue = "0.01",
            description =
                    "the work that arrives, by what the workers can do meanwhile; that of the public trace YH1 is 0.01"
                            + " (default: ${DEFAULT-VALUE})")
    private double load = 0.01;

    @Option(
            names = "--architectures",
            paramLabel = "NAME,...",
            split = ",",
            description = "those to run (default: those that cella compare runs)")
    private List<String> architectures = List.of();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "seed of the trace and of the runs (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchTraceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        Experiments experiments = new Experiments(SchedulerTypes.installed().providers());
        TraceBench bench = Impossible.answered(() -> new TraceBench(experiments, machines, tasks, load, seed));
        List<String> names = names(bench);
        TraceFigures figures = bench.measure(names, new ProgressLines(terminal)::reached);
        return format.answer(terminal, figures, measured -> report(measured, names.equals(bench.usual())), this::print);
    }

    private List<String> names(TraceBench bench) {
        return architectures.isEmpty()
                ? bench.usual()
                : architectures.stream()
                        .map(name -> Impossible.answered(() -> bench.known(name)))
                        .distinct()
                        .toList();
    }

    /** @param complete whether it ran what {@code cella compare} runs, so that the sum can be compared */
    private Map<String, Object> report(TraceFigures figures, boolean complete) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("bench", "trace");
        report.put("machines", machines);
        report.put("jobs", figures.jobs());
        report.put("tasks", tasks);
        report.put("load", load);
        report.put("seed", seed);
        report.put("complete", complete);
        report.put("threads", figures.threads());
        report.put("seconds", figures.seconds());
        report.put("cpuSeconds", figures.cpuSeconds());
        report.put(
                "architectures",
                figures.runs().stream().map(BenchTraceCommand::row).toList());
        return report;
    }

    private static Map<String, Object> row(MeasuredRun run) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", run.parameters().architecture());
        row.put("placements", run.result().placements());
        row.put("seconds", run.wallSeconds());
        row.put("cpuSeconds", run.cpuSeconds());
        row.put("cpuMicrosPerTask", TraceFigures.cpuMicrosPerTask(run));
        return row;
    }

    private void print(TraceFigures figures) {
        Table table = new Table("ARCHITECTURE", ">PLACED", ">TIME", ">CPU", ">CPU A TASK");
        for (MeasuredRun run : figures.runs()) {
            table.row(
                    run.parameters().architecture(),
                    String.format(Locale.ROOT, "%,d", run.result().placements()),
                    seconds(run.wallSeconds()),
                    seconds(run.cpuSeconds()),
                    String.format(Locale.ROOT, "%.1f us", TraceFigures.cpuMicrosPerTask(run)));
        }
        table.row(
                "all, " + figures.threads() + " at a time",
                "",
                seconds(figures.seconds()),
                seconds(figures.cpuSeconds()),
                "");
        table.print(terminal);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }
}
