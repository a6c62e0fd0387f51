package dev.cella.cli.bench;

import dev.cella.cli.simulate.Impossible;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.sweep.MeasuredRun;
import dev.cella.simulator.workload.ReferenceCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench simulator}: measures the simulator's placements per CPU second. */
@Command(
        name = "simulator",
        header = "Placements a CPU-second of the simulator: cell A, 10,000 machines.",
        description = {
            "CPU time is that of the thread that simulates. The first round includes what the JVM takes to warm up.",
            "Google's cluster simulator makes 0.65 to 0.73 million with replicated state in the same run, and takes 120",
            "to 145 s for 7 days with offers (0.034 to 0.041 million), on one machine that was measured."
        },
        footer = {"", "Example:", "  cella bench simulator --architecture offers --days 7 --rounds 3"})
public final class BenchSimulatorCommand implements Callable<Integer> {
    private static final int MACHINES = 10_000;
    private static final String REPLICATED = "replicated";

    /** The architectures of which Google's simulator was measured. */
    private static final Map<String, Google> GOOGLE =
            Map.of(REPLICATED, new Google(650_000, 730_000), "offers", new Google(33_500, 40_500));

    /** The placements of Google's simulator in a second. */
    private record Google(double least, double most) {}

    private final Terminal terminal;

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            defaultValue = "7",
            description = "virtual days in each round (default: ${DEFAULT-VALUE})")
    private double days = 7;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    @Option(
            names = "--architecture",
            paramLabel = "NAME",
            defaultValue = REPLICATED,
            description = "replicated or offers (default: ${DEFAULT-VALUE})")
    private String architecture = REPLICATED;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchSimulatorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Experiments experiments = new Experiments(SchedulerTypes.installed().providers());
        RunParameters parameters = parameters();
        List<MeasuredRun> runs = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            runs.add(MeasuredRun.of(experiments.architecture(parameters), parameters, List.of(), RunProgress.UNHEARD));
        }
        return format.answer(terminal, runs, this::report, this::print);
    }

    private RunParameters parameters() {
        if (rounds < 1) {
            throw CommandFailure.usage("there is at least one round, not " + rounds, "--rounds 3");
        }
        if (!GOOGLE.containsKey(architecture)) {
            throw CommandFailure.usage(
                    "nobody measured Google's simulator with architecture " + architecture,
                    "--architecture replicated or --architecture offers");
        }
        return Impossible.answered(() -> RunParameters.of(architecture, ReferenceCell.A)
                .withGeometry(Geometry.ofMachines(MACHINES))
                .lasting(days, 1));
    }

    private Google google() {
        return Objects.requireNonNull(GOOGLE.get(architecture));
    }

    private Map<String, Object> report(List<MeasuredRun> runs) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("bench", "simulator");
        report.put("architecture", architecture);
        report.put("placements", runs.get(0).result().placements());
        report.put(
                "placementsPerCpuSecond",
                runs.stream().map(MeasuredRun::placementsPerCpuSecond).toList());
        report.put("cpuSeconds", runs.stream().map(MeasuredRun::cpuSeconds).toList());
        report.put("wallSeconds", runs.stream().map(MeasuredRun::wallSeconds).toList());
        report.put("googlePlacementsPerCpuSecond", List.of(google().least(), google().most()));
        return report;
    }

    private void print(List<MeasuredRun> runs) {
        Table table = new Table(">ROUND", ">PLACEMENTS", ">CPU", ">A CPU-SECOND", ">TIMES GOOGLE'S");
        for (int round = 0; round < runs.size(); round++) {
            MeasuredRun run = runs.get(round);
            double rate = run.placementsPerCpuSecond();
            table.row(
                    round + 1,
                    String.format(Locale.ROOT, "%,d", run.result().placements()),
                    String.format(Locale.ROOT, "%.2f s", run.cpuSeconds()),
                    String.format(Locale.ROOT, "%,.0f", rate),
                    String.format(Locale.ROOT, "%.1f to %.1f", rate / google().most(), rate / google().least()));
        }
        table.print(terminal);
    }
}
