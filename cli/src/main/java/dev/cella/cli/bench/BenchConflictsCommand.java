package dev.cella.cli.bench;

import dev.cella.bench.cell.BenchFolder;
import dev.cella.bench.conflicts.ConflictFigures;
import dev.cella.bench.conflicts.ConflictPoint;
import dev.cella.bench.conflicts.ConflictsBench;
import dev.cella.cli.part.PartLog;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduler.batch.BatchPlacement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code cella bench conflicts}: measures what parallel schedulers lose to each other, by their options and those of their
 * jobs.
 */
@Command(
        name = "conflicts",
        header = "The conflict fraction of schedulers in parallel, on a real cell.",
        description = {
            "Each combination of fullness, placement, conflict rule and atomicity, with more and more schedulers. How"
                    + " long they",
            "think is injected, 100 ms and 5 ms a task; without it they are too fast to collide. Fractions are"
                    + " conflicted over",
            "successful transactions. docs/schedulers/conflicts.md says what to choose when."
        },
        footer = {"", "Example:", "  cella bench conflicts --schedulers 4,16 --full 90 --attempts 10"})
public final class BenchConflictsCommand implements Callable<Integer> {
    private static final List<BatchPlacement> PLACEMENTS =
            List.of(BatchPlacement.FIRST_FIT, BatchPlacement.POWER_OF_TWO, BatchPlacement.BEST_FIT);

    private final Terminal terminal;

    @Option(
            names = "--schedulers",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,4,8,16",
            description = "how many in parallel (default: ${DEFAULT-VALUE})")
    private List<Integer> schedulers = List.of();

    @Option(
            names = "--full",
            paramLabel = "PERCENT",
            split = ",",
            defaultValue = "60,90",
            description = "how full the cell is before they begin (default: ${DEFAULT-VALUE})")
    private List<Integer> fullPercents = List.of();

    @Option(
            names = "--machines",
            paramLabel = "N",
            defaultValue = "400",
            description = "hollow machines of the cell, with room for 8 tasks each (default: ${DEFAULT-VALUE})")
    private int machines;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            defaultValue = "20",
            description = "how often each scheduler plans a job in a combination (default: ${DEFAULT-VALUE})")
    private int attempts;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "the seed of all draws (default: 1)")
    private long seed;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchConflictsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        List<ConflictPoint> points = points();
        try (BenchFolder temporary = BenchFolder.make("cella-bench-conflicts")) {
            Path folder = temporary.path();
            PartLog.toFile(folder.resolve("bench.log"));
            List<ConflictFigures> done = new ArrayList<>();
            ConflictsBench.Report report = ConflictsBench.run(folder, points, machines, attempts, seed, made -> {
                done.add(made);
                terminal.say(done.size() + " of " + points.size() + ": " + made);
            });
            return format.answer(terminal, report, this::report, this::print);
        }
    }

    private List<ConflictPoint> points() {
        if (machines < 2 || attempts < 1) {
            throw CommandFailure.usage(
                    "there are at least two machines and one attempt", "--machines 400 --attempts 20");
        }
        try {
            return ConflictPoint.all(fullPercents, PLACEMENTS, schedulers);
        } catch (IllegalArgumentException impossible) {
            throw CommandFailure.usage(String.valueOf(impossible.getMessage()), "--schedulers 1,2,4 --full 60,90");
        }
    }

    private Map<String, Object> report(ConflictsBench.Report report) {
        Map<String, Object> data = BenchReport.data("conflicts", report.conditions());
        data.put("decisionTime", ConflictsBench.DECISION_TIME.toString());
        data.put("machines", machines);
        data.put("attemptsEach", attempts);
        data.put(
                "points",
                report.figures().stream().map(BenchConflictsCommand::data).toList());
        return data;
    }

    private void print(ConflictsBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        table(report.figures()).print(terminal);
    }

    private static Map<String, Object> data(ConflictFigures figures) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("fullPercent", figures.point().fullPercent());
        data.put("placement", figures.point().placement().word());
        data.put("conflictRule", figures.point().conflictRule().name());
        data.put("atomicity", figures.point().atomicity().name());
        data.put("schedulers", figures.point().schedulers());
        data.put("transactionsSuccessful", figures.successful());
        data.put("transactionsConflicted", figures.conflicted());
        figures.conflictFraction().ifPresent(fraction -> data.put("conflictFraction", fraction));
        data.put("claimsAccepted", figures.claimsAccepted());
        data.put("claimsConflicted", figures.claimsConflicted());
        return data;
    }

    /** A row for each kind of scheduler, a column for each number of them. */
    private Table table(List<ConflictFigures> figures) {
        List<String> columns = new ArrayList<>(List.of(">FULL", "PLACEMENT", "RULE", "ATOMICITY"));
        schedulers.forEach(count -> columns.add(">" + count));
        Table table = new Table(columns.toArray(String[]::new));
        for (int first = 0; first < figures.size(); first += schedulers.size()) {
            ConflictPoint point = figures.get(first).point();
            List<Object> cells = new ArrayList<>(List.<Object>of(
                    point.fullPercent() + " %", point.placement().word(), point.conflictRule(), point.atomicity()));
            figures.subList(first, first + schedulers.size()).forEach(each -> cells.add(fraction(each)));
            table.row(cells.toArray());
        }
        return table;
    }

    private static String fraction(ConflictFigures figures) {
        return figures.conflictFraction().isPresent()
                ? String.format(Locale.ROOT, "%.2f", figures.conflictFraction().getAsDouble())
                : "";
    }
}
