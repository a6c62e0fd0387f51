package dev.cella.cli.bench;

import dev.cella.bench.share.PlannedRound;
import dev.cella.bench.share.SharingBench;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench sharing}: measures rounds of the types {@code offers} and {@code fair} over a whole cell. */
@Command(
        name = "sharing",
        header = "CPU time to share out a whole cell by offers, and by fair shares.",
        description = {
            "",
            "OFFERS is one round of the allocator: 10,000 machines to 1,000 frameworks. Mesos took 1.06 s for it. FAIR is",
            "one plan of the fair scheduler: 2,500 machines of four slots, 100 jobs in 20 pools. Hadoop's scheduled 3,200",
            "tasks/s there. The figures are the CPU time of one thread, from the view to the transactions, in the first",
            "round, which warms up, and in the best one.",
            ""
        },
        footer = {"", "Example:", "  cella bench sharing --rounds 30"})
public final class BenchSharingCommand implements Callable<Integer> {
    private static final int OFFERED_MACHINES = 10_000;
    private static final int FRAMEWORKS = 1_000;
    private static final int FAIR_MACHINES = 2_500;
    private static final int JOBS = 100;
    private static final int POOLS = 20;
    private static final double MESOS_SECONDS = 1.06;
    private static final double HADOOP_TASKS_PER_SECOND = 3_200;

    private final Terminal terminal;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "20",
            description = "how often each is planned (default: ${DEFAULT-VALUE})")
    private int rounds = 20;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchSharingCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        SharingBench bench = bench();
        List<PlannedRound> offers = bench.offers(OFFERED_MACHINES, FRAMEWORKS);
        List<PlannedRound> fair = bench.fair(FAIR_MACHINES, JOBS, POOLS);
        if (format.isJson()) {
            format.printRun(terminal, report(offers, fair, load));
        } else {
            print(offers, fair, load);
        }
        return ExitCode.DONE.number();
    }

    private SharingBench bench() {
        try {
            return new SharingBench(rounds);
        } catch (IllegalArgumentException refused) {
            throw CommandFailure.usage(String.valueOf(refused.getMessage()), "--rounds 20");
        }
    }

    private static PlannedRound best(List<PlannedRound> rounds) {
        return rounds.stream()
                .min(Comparator.comparingDouble(PlannedRound::cpuSeconds))
                .orElseThrow();
    }

    private static Map<String, Object> report(List<PlannedRound> offers, List<PlannedRound> fair, double load) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("bench", "sharing");
        report.put("processors", Runtime.getRuntime().availableProcessors());
        report.put("loadAverage", load);
        report.put("offers", row(offers));
        report.put("fair", row(fair));
        return report;
    }

    private static Map<String, Object> row(List<PlannedRound> rounds) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("items", best(rounds).items());
        row.put("cpuSecondsFirst", rounds.get(0).cpuSeconds());
        row.put("cpuSecondsBest", best(rounds).cpuSeconds());
        row.put("itemsPerCpuSecond", best(rounds).itemsPerCpuSecond());
        return row;
    }

    private void print(List<PlannedRound> offers, List<PlannedRound> fair, double load) {
        terminal.print(String.format(
                Locale.ROOT,
                "machine   %d processors, load %.1f before",
                Runtime.getRuntime().availableProcessors(),
                load));
        Table table = new Table("PLAN", ">ITEMS", ">CPU FIRST", ">CPU BEST", ">ITEMS A CPU-SECOND", ">TIMES");
        row(table, "offers", offers, MESOS_SECONDS / best(offers).cpuSeconds(), "Mesos'");
        row(table, "fair", fair, best(fair).itemsPerCpuSecond() / HADOOP_TASKS_PER_SECOND, "Hadoop's");
        table.print(terminal);
    }

    private static void row(Table table, String plan, List<PlannedRound> rounds, double times, String whose) {
        PlannedRound best = best(rounds);
        table.row(
                plan,
                String.format(Locale.ROOT, "%,d", best.items()),
                millis(rounds.get(0)),
                millis(best),
                String.format(Locale.ROOT, "%,.0f", best.itemsPerCpuSecond()),
                String.format(Locale.ROOT, "%,.0f x %s", times, whose));
    }

    private static String millis(PlannedRound round) {
        return String.format(Locale.ROOT, "%.1f ms", round.cpuSeconds() * 1_000);
    }
}
