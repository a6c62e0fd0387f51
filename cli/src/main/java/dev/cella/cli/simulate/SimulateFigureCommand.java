package dev.cella.cli.simulate;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.experiment.Figure;
import dev.cella.simulator.experiment.FigureData;
import dev.cella.simulator.experiment.FigurePoint;
import dev.cella.simulator.files.FigureFolder;
import dev.cella.simulator.sweep.MeasuredRun;
import dev.cella.simulator.sweep.Sweep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella simulate figure}: all runs of a figure, with its table, charts and page. */
@Command(
        name = "figure",
        header = "Runs a figure of a paper, and writes its table, its charts and a page about it.",
        description = "The runs are spread over the cores. The page puts what the paper says beside what was measured.",
        footer = {"", "Example:", "  cella simulate figure figure-6.5 --days 1 --seeds 1 --out figures"})
public final class SimulateFigureCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "NAME", description = "one of those that cella simulate list shows")
    private String name = "";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "where to write; made if it is not there")
    private String out = "";

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            description = "virtual days in each run (default: the figure's, 7 for most of the dissertation's)")
    private @Nullable Double days;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often each run is done, with the seeds from 1 on (default: ${DEFAULT-VALUE})")
    private int seeds = 3;

    @Option(names = "--threads", paramLabel = "N", description = "runs at a time (default: the machine's cores)")
    private int threads = Runtime.getRuntime().availableProcessors();

    public SimulateFigureCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Experiments experiments = new Experiments(SchedulerTypes.installed().providers());
        Figure figure = Impossible.answered(() -> experiments.figure(name));
        if (seeds < 1 || threads < 1) {
            throw CommandFailure.usage("a figure takes at least one seed and one thread", "--seeds 3");
        }
        FigureFolder folder = OutFolder.prepared(terminal, out);
        FigureData data = run(experiments, figure);
        folder.write(figure.draw(data)).forEach(file -> terminal.print(file.toString()));
        return ExitCode.DONE.number();
    }

    private static RunParameters run(FigurePoint point, double days, int seed) {
        return Impossible.answered(() -> point.parameters().lasting(days, seed));
    }

    private FigureData run(Experiments experiments, Figure figure) throws InterruptedException {
        double lasting = days == null ? figure.days() : days;
        List<FigurePoint> points = new ArrayList<>();
        List<RunParameters> runs = new ArrayList<>();
        for (FigurePoint point : figure.points()) {
            for (int seed = 1; seed <= seeds; seed++) {
                points.add(point);
                runs.add(run(point, lasting, seed));
            }
        }
        if (!runs.isEmpty()) {
            terminal.say(runs.size() + " runs of " + lasting + " days, " + threads + " at a time");
        }
        ProgressLines progress = new ProgressLines(terminal);
        List<MeasuredRun> results = new Sweep(experiments, threads, progress::reached).run(runs, List.of());
        FigureData data = new FigureData();
        for (int i = 0; i < results.size(); i++) {
            FigurePoint point = points.get(i);
            data.add(
                    new FigurePoint(
                            point.series(), point.x(), point.parameters().lasting(lasting, 1)),
                    results.get(i).result());
        }
        return data;
    }
}
