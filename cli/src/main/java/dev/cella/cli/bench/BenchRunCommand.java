package dev.cella.cli.bench;

import dev.cella.bench.cell.BenchFolder;
import dev.cella.bench.cell.Servers;
import dev.cella.bench.run.RunBench;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.transactions.cell.tables.QueueRow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench run}: measures the time from a submission to RUNNING. */
@Command(
        name = "run",
        header = "From submit to RUNNING: many tasks at once, and small jobs one after another.",
        description = {
            "The scheduler and the agent are in this process, with hollow machines, or with this machine, whose tasks are",
            "processes. One replica is in this process, too; several are processes of their own. Jobs of one task come",
            "first and are not measured, until the compilers are calm. The figures of the many tasks are the last round's."
        },
        footer = {
            "",
            "Examples:",
            "  cella bench run --machines 5000 --tasks 100000",
            "  cella bench run --machines 5000 --tasks 100000 --probes 2",
            "  cella bench run --machines 5000 --tasks 100000 --replicas 3",
            "  cella bench run --machines 0 --tasks 1000 --isolation full"
        })
public final class BenchRunCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Option(
            names = "--machines",
            paramLabel = "N",
            defaultValue = "1000",
            description = "hollow machines; 0: this machine and processes (default: ${DEFAULT-VALUE})")
    private int machines;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "20000",
            description = "submitted at once (default: ${DEFAULT-VALUE})")
    private int tasks;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            description = "rounds of those tasks, one after another (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "200",
            description = "jobs of one task, one after another (default: ${DEFAULT-VALUE})")
    private int jobs;

    @Option(
            names = "--warm-seconds",
            paramLabel = "N",
            defaultValue = "180",
            description =
                    "jobs of one task warm it up at most, until the compilers are calm (default: ${DEFAULT-VALUE})")
    private int warmSeconds;

    @Option(
            names = "--isolation",
            paramLabel = "none|limits|full",
            defaultValue = "none",
            description = "how strictly processes are isolated, at least (default: ${DEFAULT-VALUE})")
    private String isolation = "none";

    @Option(
            names = "--probes",
            paramLabel = "N",
            defaultValue = "0",
            description = "in how many machines' queues each task waits, by type sparrow; 0: type batch places it")
    private int probes;

    @Mixin
    private final BenchServers servers = new BenchServers();

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "the seed of all draws (default: 1)")
    private long seed;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchRunCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        if (machines < 0 || tasks < 0 || rounds < 1 || warmSeconds < 0 || jobs < 1 || probes < 0) {
            throw CommandFailure.usage("a number is too small", "see cella bench run --help");
        }
        if (!List.of("none", "limits", "full").contains(isolation)) {
            throw CommandFailure.usage("no such isolation: " + isolation, "none, limits or full");
        }
        if (probes > QueueRow.ROWS_A_TASK_MAX) {
            throw CommandFailure.usage(
                    "a task waits in at most " + QueueRow.ROWS_A_TASK_MAX + " queues, not " + probes,
                    "see cella bench run --help");
        }
        Duration warmMax = Duration.ofSeconds(warmSeconds);
        RunBench.Question question =
                new RunBench.Question(machines, tasks, rounds, warmMax, jobs, isolation, seed, probes);
        Servers asked = servers.of(mainClass);
        try (BenchFolder temporary = BenchFolder.make("cella-bench-run")) {
            Path folder = temporary.path();
            RunBench.Report report = asked.replicas() == 1
                    ? RunBench.run(folder, question, terminal::say)
                    : RunBench.run(folder, question, asked, terminal::say);
            return format.answer(terminal, report, answered -> data(answered, asked), this::print);
        }
    }

    private static Map<String, Object> data(RunBench.Report report, Servers asked) {
        Map<String, Object> data = BenchReport.data("run", report.conditions());
        data.put("replicas", asked.replicas());
        data.put("rpc", asked.rpc());
        data.put("isolation", report.question().isolation());
        data.put("machines", report.question().machines());
        data.put("tasks", report.question().tasks());
        data.put("placedPerSecond", report.placedPerSecond());
        data.put("runningPerSecond", report.runningPerSecond());
        data.put("runningPerSecondByRound", report.runningPerSecondByRound());
        data.put("probes", report.question().probes());
        data.put("queueClaimsPerSecond", report.queueClaimsPerSecond());
        data.put("cpuMicrosPerTask", report.cpuMicrosPerTask());
        data.put("cpuMicrosByPart", report.cpuMicrosByPart());
        data.put("jobs", report.question().jobs());
        data.put("p50Millis", report.p50Millis());
        data.put("p99Millis", report.p99Millis());
        return data;
    }

    private void print(RunBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = new Table("LOAD", ">PLACED/S", ">RUNNING/S", ">QUEUED/S", ">CPU A TASK", ">p50", ">p99");
        table.row(
                report.question().tasks() + " tasks",
                String.format(Locale.ROOT, "%,.0f", report.placedPerSecond()),
                String.format(Locale.ROOT, "%,.0f", report.runningPerSecond()),
                String.format(Locale.ROOT, "%,.0f", report.queueClaimsPerSecond()),
                String.format(Locale.ROOT, "%.0f us", report.cpuMicrosPerTask()),
                "-",
                "-");
        table.row(
                report.question().jobs() + " jobs of one",
                "-",
                "-",
                "-",
                "-",
                BenchReport.millis(report.p50Millis()),
                BenchReport.millis(report.p99Millis()));
        table.print(terminal);
        Table parts = new Table("CPU OF", ">us A TASK");
        report.cpuMicrosByPart().forEach((part, micros) -> parts.row(part, String.format(Locale.ROOT, "%.1f", micros)));
        parts.print(terminal);
    }
}
