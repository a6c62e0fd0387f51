package dev.cella.cli.simulate;

import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.compare.ComparedFigure;
import dev.cella.simulator.compare.ComparedValue;
import dev.cella.simulator.compare.Comparison;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunDraft;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.files.FigureFolder;
import dev.cella.simulator.sweep.MeasuredRun;
import dev.cella.simulator.sweep.Sweep;
import dev.cella.simulator.workload.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella compare}: one workload through every architecture. */
@Command(
        name = "compare",
        header = "Runs one workload through every architecture, and puts the results side by side.",
        description = {
            "Each architecture gets the same jobs on the same machines, in virtual time. A value is the mean over the seeds, with the"
                    + " least and the most of them.",
            "A run of a trace ends twice the longest task after the last arrival; a run of a cell takes a day."
        },
        footer = {
            "",
            "Examples:",
            "  cella compare --cell A --seeds 3 --out compared",
            "  cella compare --workload jobs.tr --machines 10000 --slots-per-machine 1"
        })
public final class CompareCommand implements Callable<Integer> {
    private static final double DAYS_OF_A_CELL = 1;

    private final Terminal terminal;

    @Option(
            names = "--architectures",
            paramLabel = "NAME,...",
            split = ",",
            description =
                    "those to compare (default: all that cella simulate list shows, but not offers-live, which is slow)")
    private List<String> architectures = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often each architecture runs, with the seeds from --seed on (default: ${DEFAULT-VALUE})")
    private int seeds = 3;

    @Option(names = "--out", paramLabel = "DIR", description = "writes compare.html, with charts, and compare.csv")
    private @Nullable String out;

    @Option(names = "--threads", paramLabel = "N", description = "runs at a time (default: the machine's cores)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private final RunOptions options = RunOptions.ofEveryArchitecture();

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seeds < 1 || threads < 1) {
            throw CommandFailure.usage("a comparison takes at least one seed and one thread", "--seeds 3");
        }
        output.refuseNames();
        SchedulerTypes types = plugins.types(terminal);
        Experiments experiments = new Experiments(types.providers());
        RunDraft draft = options.draft();
        List<Trace> traces = options.readTraces(terminal);
        RunParameters run = lasting(draft, RunOptions.parameters(draft, experiments, types), traces);
        List<String> names = names(experiments, run);
        List<Comparison.Entry> entries = Comparison.entries(run, names, ofPlugins(types), seeds);
        options.sayWithoutEffect(
                terminal,
                entries.stream().map(CompareCommand::architecture).distinct().toList());
        entries.forEach(entry -> check(experiments, entry));
        Optional<FigureFolder> folder = Optional.ofNullable(out).map(each -> OutFolder.prepared(terminal, each));
        Comparison comparison = new Comparison(workload(run), run);
        run(entries, experiments, traces, comparison);
        output.print(terminal, comparison::report, () -> print(comparison));
        if (folder.isPresent()) {
            folder.get().write(comparison.files()).forEach(file -> terminal.say("wrote " + file));
        }
        return ExitCode.DONE.number();
    }

    /** One architecture that cannot run would throw the results of the others away. */
    private static void check(Experiments experiments, Comparison.Entry entry) {
        RunParameters run = entry.runs().get(0);
        try {
            RunParameters unused = experiments.architecture(run).adopt(run);
        } catch (ImpossibleParameterException impossible) {
            throw CommandFailure.usage(
                    entry.name() + ": " + impossible.getMessage(),
                    impossible.hint() + "; or name the others with --architectures");
        }
    }

    /** A type of a plug-in runs in another architecture than its name says. */
    private static String architecture(Comparison.Entry entry) {
        return entry.runs().get(0).architecture();
    }

    private static RunParameters lasting(RunDraft draft, RunParameters run, List<Trace> traces) {
        return draft.saysDays() ? run : run.lasting(Comparison.days(traces).orElse(DAYS_OF_A_CELL), run.seed());
    }

    private String workload(RunParameters run) {
        return options.traces().isEmpty() ? "of cell " + run.cell() : String.join(", ", options.traces());
    }

    private List<String> names(Experiments experiments, RunParameters run) {
        if (architectures.isEmpty()) {
            return Comparison.usual(experiments.architectures().stream()
                    .map(Architecture::label)
                    .toList());
        }
        return architectures.stream()
                .map(name -> Impossible.answered(
                        () -> experiments.architecture(run.of(name)).label()))
                .distinct()
                .toList();
    }

    /** The types that only the jars of {@code --plugin} have. */
    private static List<String> ofPlugins(SchedulerTypes types) {
        List<String> installed = typesOf(SchedulerTypes.installed());
        return typesOf(types).stream().filter(type -> !installed.contains(type)).toList();
    }

    private static List<String> typesOf(SchedulerTypes types) {
        return types.providers().stream().map(SchedulerProvider::type).toList();
    }

    /** All runs share the threads; the slowest do not wait for each other. */
    private void run(List<Comparison.Entry> entries, Experiments experiments, List<Trace> traces, Comparison comparison)
            throws InterruptedException {
        List<RunParameters> runs = new ArrayList<>();
        entries.forEach(entry -> runs.addAll(entry.runs()));
        terminal.say(entries.size() + " architectures, " + runs.size() + " runs, " + threads + " at a time");
        ProgressLines progress = new ProgressLines(terminal);
        List<MeasuredRun> results = new Sweep(experiments, threads, progress::reached).run(runs, traces);
        int from = 0;
        for (Comparison.Entry entry : entries) {
            int to = from + entry.runs().size();
            comparison.add(
                    entry.name(),
                    results.subList(from, to).stream()
                            .map(done -> new Comparison.Run(done.result(), done.cpuSeconds()))
                            .toList());
            from = to;
        }
    }

    private void print(Comparison comparison) {
        List<String> headings = new ArrayList<>(List.of("ARCHITECTURE"));
        for (ComparedFigure figure : ComparedFigure.values()) {
            headings.add(">" + figure.heading());
        }
        Table table = new Table(headings.toArray(String[]::new));
        for (String name : comparison.names()) {
            List<String> cells = new ArrayList<>(List.of(name));
            for (ComparedFigure figure : ComparedFigure.values()) {
                Optional<ComparedValue> value = comparison.value(name, figure);
                cells.add(value.map(ComparedValue::text).orElse(""));
            }
            table.row(cells.toArray());
        }
        table.print(terminal);
        terminal.print(
                "waits in seconds, of the jobs that were placed; delays in seconds, of those that ended; CPU used in %;"
                        + " conflicts for 1,000 placed tasks");
    }
}
