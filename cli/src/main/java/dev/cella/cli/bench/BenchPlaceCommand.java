package dev.cella.cli.bench;

import dev.cella.bench.cell.PlaceBench;
import dev.cella.bench.cell.PlaceResults;
import dev.cella.bench.cell.Servers;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.transactions.model.JobHeader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench place}: measures placing from end to end, with schedulers that are processes. */
@Command(
        name = "place",
        header = "Placements a second from end to end: users, scheduler processes, servers.",
        description = {
            "Each scheduler is a process of type batch that plans on its private replica. First users submit jobs, each",
            "when all tasks of its job before are placed. Then 10,000 tasks a second are submitted as jobs of 100, for",
            "the time that a job waits. A placed job is ended, so that the size of the cell stays constant.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella bench place --replicas 3 --rpc netty --seconds 10",
            "  cella bench place --schedulers 1 --job-tasks 10"
        })
public final class BenchPlaceCommand implements Callable<Integer> {
    /** Each job has 100 tasks. */
    private static final int QUIET_JOBS_PER_SECOND = 100;

    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchLoad load = new BenchLoad();

    @Mixin
    private final BenchServers servers = new BenchServers();

    @Option(
            names = "--schedulers",
            paramLabel = "N",
            defaultValue = "3",
            description = "each a process (default: ${DEFAULT-VALUE})")
    private int schedulers = 3;

    @Option(
            names = "--job-tasks",
            paramLabel = "N",
            defaultValue = "1000",
            description = "tasks of each job at full speed (default: ${DEFAULT-VALUE})")
    private int jobTasks = 1_000;

    @Option(
            names = "--warm-seconds",
            paramLabel = "N",
            defaultValue = "180",
            description = "each load warms up at most, until the compilers are calm (default: ${DEFAULT-VALUE})")
    private int warmSeconds = 180;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "the seed of all draws (default: 1)")
    private long seed;

    /** The main class is that of the command, which is started as each part. */
    public BenchPlaceCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        load.check("cella bench place --seconds 5");
        if (schedulers < 1 || jobTasks < 1 || jobTasks > JobHeader.TASKS_MAX) {
            throw CommandFailure.usage(
                    "there is at least one scheduler, and a job has 1 to " + JobHeader.TASKS_MAX + " tasks",
                    "cella bench place --schedulers 3 --job-tasks 1000");
        }
        Servers measured = servers.of(mainClass);
        PlaceBench.Question question = new PlaceBench.Question(
                load.machines(),
                schedulers,
                jobTasks,
                QUIET_JOBS_PER_SECOND,
                load.duration(),
                Duration.ofSeconds(warmSeconds),
                seed);
        PlaceBench.Report report = PlaceBench.run(measured, question, terminal::say);
        return load.format().answer(terminal, report, BenchPlaceCommand::data, this::print);
    }

    private static Map<String, Object> data(PlaceBench.Report report) {
        Map<String, Object> data = BenchReport.data("place", report.conditions());
        data.put("replicas", report.servers().replicas());
        data.put("rpc", report.servers().rpc());
        data.put("machines", report.question().machines());
        data.put("schedulers", report.question().schedulers());
        data.put("jobTasks", report.question().tasks());
        data.put("placementsPerSecond", report.full().placementsPerSecond());
        data.put("full", data(report.full()));
        data.put("quiet", data(report.quiet()));
        return data;
    }

    private static Map<String, Object> data(PlaceResults results) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("placementsPerSecond", results.placementsPerSecond());
        data.put("transactionsPerSecond", results.transactionsPerSecond());
        data.put("claimsConflicted", results.claimsConflicted());
        data.put("p50Millis", results.p50Millis());
        data.put("p99Millis", results.p99Millis());
        data.put("cpuMicrosPerPlacement", results.cpuMicros());
        data.put("cpuMicrosByPart", results.cpuMicrosByPart());
        data.put("mibByPart", results.mibByPart());
        data.put("compilingFraction", results.compilingFraction());
        data.put("warmSeconds", results.warmSeconds());
        return data;
    }

    private void print(PlaceBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = new Table(
                "LOAD",
                ">PLACEMENTS/S",
                ">TRANSACTIONS/S",
                ">CONFLICTED",
                ">JOB p50",
                ">p99",
                ">CPU A PLACEMENT",
                ">COMPILING",
                ">WARM AFTER");
        row(table, "jobs of " + report.question().tasks(), report.full());
        row(table, "10,000 tasks/s", report.quiet());
        table.print(terminal);
        Table parts = new Table("CPU OF", ">us A PLACEMENT", ">AT 10,000/S");
        report.full()
                .cpuMicrosByPart()
                .forEach((part, micros) -> parts.row(
                        part,
                        micros(micros),
                        micros(report.quiet().cpuMicrosByPart().getOrDefault(part, 0.0))));
        parts.print(terminal);
        Table memory = new Table("MEMORY OF", ">AT FULL SPEED", ">AT 10,000/S");
        report.full()
                .mibByPart()
                .forEach((part, mib) -> memory.row(
                        part,
                        BenchReport.mib(mib),
                        BenchReport.mib(report.quiet().mibByPart().getOrDefault(part, 0.0))));
        memory.print(terminal);
    }

    private static void row(Table table, String load, PlaceResults results) {
        table.row(
                load,
                String.format(Locale.ROOT, "%,.0f", results.placementsPerSecond()),
                String.format(Locale.ROOT, "%,.0f", results.transactionsPerSecond()),
                String.format(Locale.ROOT, "%,d", results.claimsConflicted()),
                BenchReport.millis(results.p50Millis()),
                BenchReport.millis(results.p99Millis()),
                micros(results.cpuMicros()) + " us",
                String.format(Locale.ROOT, "%.1f%%", 100 * results.compilingFraction()),
                String.format(Locale.ROOT, "%.0f s", results.warmSeconds()));
    }

    private static String micros(double micros) {
        return String.format(Locale.ROOT, "%.1f", micros);
    }
}
