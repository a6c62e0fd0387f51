package dev.cella.cli.bench;

import dev.cella.bench.plan.EvictionFigures;
import dev.cella.bench.plan.EvictionsBench;
import dev.cella.bench.plan.ExplainBench;
import dev.cella.bench.plan.ExplainFigures;
import dev.cella.bench.plan.MatchBench;
import dev.cella.bench.plan.MatchFigures;
import dev.cella.bench.plan.PlanBench;
import dev.cella.bench.plan.PlanFigures;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench plan}: measures the cost of planning a placement, by the size of the cell. */
@Command(
        name = "plan",
        header = "Placements planned a CPU-second, from 1,000 to 50,000 machines.",
        description = {
            "",
            "An attempt plans a job of 100 tasks, from the view to the transaction: power of two choices by best fit,"
                    + " on a",
            "half full cell. ROOM is a job that asks for room alone. CONSTRAINED is a job with a spread over racks and",
            "three constraints, which an eighth of all machines meet. RELABELLED is the same job while a machine",
            "changes its attributes every 1,000 attempts. BARE is the bound: first fit on two bare arrays. The figures",
            "are the CPU time of one thread in the best round.",
            "",
            "The second table is for a job in a cell full of 10,000 less important tasks, so each claim evicts one. It",
            "has the CPU time of a plan and of a commit, and of each with ten times the evictions: the best of ten",
            "attempts a round. The third is for explanations of such a job in a cell of 10,000 machines: how long one of",
            "twenty a round takes. The fourth is for a turn of type apollo: 1,000 tasks matched to the queues of 20,000",
            "full machines.",
            ""
        },
        footer = {"", "Example:", "  cella bench plan --machines 10000 --rounds 10"})
public final class BenchPlanCommand implements Callable<Integer> {
    private static final int MACHINES_MAX = 1_000_000;
    private static final int MACHINES_MIN = 100;
    private static final int ATTEMPTS_A_ROUND = 10;
    private static final int EXPLANATIONS_A_ROUND = 20;
    private static final int EXPLAINED_MACHINES = 10_000;
    private static final int MATCHES_A_ROUND = 20;
    private static final int MATCHED_MACHINES = 20_000;
    private static final int MATCHED_TASKS = 1_000;
    private static final int TASKS_MAX = 1_000_000;

    private final Terminal terminal;

    @Option(
            names = "--machines",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000,5000,10000,20000,50000",
            description = "sizes of the cell, by commas (default: ${DEFAULT-VALUE})")
    private List<Integer> machines = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "rounds for each figure; the best one counts (default: ${DEFAULT-VALUE})")
    private int rounds = 5;

    @Option(
            names = "--round",
            paramLabel = "DURATION",
            defaultValue = "1s",
            description = "CPU time of a round (default: ${DEFAULT-VALUE})")
    private Duration round = Duration.ofSeconds(1);

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "tasks in the cell where a job is explained (default: ${DEFAULT-VALUE})")
    private int tasks = 1_000_000;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchPlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        check();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        PlanBench bench = new PlanBench(rounds, round);
        List<PlanFigures> figures = new ArrayList<>();
        for (int size : machines) {
            figures.add(bench.measure(size));
        }
        List<EvictionFigures> evictions = new EvictionsBench(rounds * ATTEMPTS_A_ROUND).measure();
        ExplainFigures explained =
                new ExplainBench(rounds * EXPLANATIONS_A_ROUND).measure(EXPLAINED_MACHINES, tasks / EXPLAINED_MACHINES);
        MatchFigures matched = new MatchBench(rounds * MATCHES_A_ROUND).measure(MATCHED_MACHINES, MATCHED_TASKS);
        if (format.isJson()) {
            Map<String, Object> report = report(figures, evictions, load);
            report.put("explain", row(explained));
            report.put("match", row(matched));
            format.printRun(terminal, report);
        } else {
            print(figures, load);
            terminal.print("");
            print(evictions);
            terminal.print("");
            print(explained);
            terminal.print("");
            print(matched);
        }
        return ExitCode.DONE.number();
    }

    private void check() {
        if (rounds < 1 || round.isZero()) {
            throw CommandFailure.usage("there is at least one round, of some time", "--rounds 5 --round 1s");
        }
        if (tasks < EXPLAINED_MACHINES || tasks > TASKS_MAX) {
            throw CommandFailure.usage(
                    String.format(
                            Locale.ROOT,
                            "the cell where a job is explained has %,d to %,d tasks, not %,d",
                            EXPLAINED_MACHINES,
                            TASKS_MAX,
                            tasks),
                    "--tasks 1000000");
        }
        for (int size : machines) {
            if (size < MACHINES_MIN || size > MACHINES_MAX) {
                throw CommandFailure.usage(
                        String.format(
                                Locale.ROOT,
                                "a cell here has %,d to %,d machines, not %,d",
                                MACHINES_MIN,
                                MACHINES_MAX,
                                size),
                        "--machines 1000,50000");
            }
        }
    }

    private static Map<String, Object> report(List<PlanFigures> figures, List<EvictionFigures> evictions, double load) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("bench", "plan");
        report.put("processors", Runtime.getRuntime().availableProcessors());
        report.put("loadAverage", load);
        report.put(
                "placementsPerCpuSecond",
                figures.stream().map(BenchPlanCommand::row).toList());
        report.put("evictions", evictions.stream().map(BenchPlanCommand::row).toList());
        return report;
    }

    private static Map<String, Object> row(EvictionFigures figures) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("step", figures.step());
        row.put("evictions", figures.evictions());
        row.put("cpuSeconds", figures.fewer());
        row.put("cpuSecondsOfTenTimes", figures.more());
        row.put("ratio", figures.ratio());
        return row;
    }

    private static Map<String, Object> row(PlanFigures figures) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("machines", figures.machines());
        row.put("room", figures.room());
        row.put("constrained", figures.constrained());
        row.put("relabelled", figures.relabelled());
        row.put("bare", figures.bare());
        row.put("constrainedMicros", figures.constrainedMicros());
        return row;
    }

    private void print(List<PlanFigures> figures, double load) {
        terminal.print(String.format(
                Locale.ROOT,
                "machine   %d processors, load %.1f before",
                Runtime.getRuntime().availableProcessors(),
                load));
        Table table =
                new Table(">MACHINES", ">ROOM/S", ">CONSTRAINED/S", ">RELABELLED/S", ">BARE/S", ">CPU A PLACEMENT");
        for (PlanFigures each : figures) {
            table.row(
                    String.format(Locale.ROOT, "%,d", each.machines()),
                    rate(each.room()),
                    rate(each.constrained()),
                    rate(each.relabelled()),
                    rate(each.bare()),
                    String.format(Locale.ROOT, "%.2f us", each.constrainedMicros()));
        }
        table.print(terminal);
    }

    private void print(List<EvictionFigures> evictions) {
        Table table = new Table("STEP", ">EVICTIONS", ">CPU", ">CPU OF TEN TIMES", ">RATIO");
        for (EvictionFigures each : evictions) {
            table.row(
                    each.step(),
                    String.format(Locale.ROOT, "%,d", each.evictions()),
                    millis(each.fewer()),
                    millis(each.more()),
                    String.format(Locale.ROOT, "%.1f", each.ratio()));
        }
        table.print(terminal);
    }

    private void print(ExplainFigures explained) {
        Table table = new Table(">MACHINES", ">TASKS", ">EXPLAINED IN", ">AT MOST");
        table.row(
                String.format(Locale.ROOT, "%,d", explained.machines()),
                String.format(Locale.ROOT, "%,d", explained.tasks()),
                millis(explained.medianSeconds()),
                millis(explained.maxSeconds()));
        table.print(terminal);
    }

    private static Map<String, Object> row(ExplainFigures explained) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("machines", explained.machines());
        row.put("tasks", explained.tasks());
        row.put("medianSeconds", explained.medianSeconds());
        row.put("maxSeconds", explained.maxSeconds());
        return row;
    }

    private void print(MatchFigures matched) {
        Table table = new Table(">MACHINES", ">TASKS", ">MATCHED TO", ">CPU", ">AT MOST");
        table.row(
                String.format(Locale.ROOT, "%,d", matched.machines()),
                String.format(Locale.ROOT, "%,d", matched.tasks()),
                String.format(Locale.ROOT, "%,d", matched.matched()),
                millis(matched.medianSeconds()),
                millis(matched.maxSeconds()));
        table.print(terminal);
    }

    private static Map<String, Object> row(MatchFigures matched) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("machines", matched.machines());
        row.put("tasks", matched.tasks());
        row.put("matched", matched.matched());
        row.put("medianSeconds", matched.medianSeconds());
        row.put("maxSeconds", matched.maxSeconds());
        return row;
    }

    private static String millis(double seconds) {
        return String.format(Locale.ROOT, "%.2f ms", seconds * 1_000);
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%,.0f", perSecond);
    }
}
