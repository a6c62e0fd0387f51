package dev.cella.cli.bench;

import dev.cella.bench.plan.GrowthBench;
import dev.cella.bench.plan.GrowthFigures;
import dev.cella.bench.plan.GrowthFigures.Part;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench growth}: measures how the cost of each part grows with the cell. */
@Command(
        name = "growth",
        header = "How the cost of each part grows with the machines and the tasks of a cell.",
        description = {
            "",
            "Measures cells with more and more machines, then cells with more and more tasks: the commit of a",
            "claim, the same in a private copy, the plan of a placement, the explanation of a pending job,",
            "the time that lists of all machines and tasks take from commits, and the load of a checkpoint.",
            "The figures are the CPU time of one thread in the best round. All cells are measured again in",
            "each turn, so that a time in which the machine is slow does not look like growth. The row",
            "\"exponent\" has the exponents over all sizes: at 0 a part costs the same in each cell, at 1 it",
            "grows as the cell does. \"last step\" has those between the two largest sizes. A small cell is",
            "measured first, which warms the JIT up.",
            ""
        },
        footer = {"", "Example:", "  cella bench growth --machines 1000,10000,130000 --tasks 10000,100000,2000000"})
public final class BenchGrowthCommand implements Callable<Integer> {
    private static final int MACHINES_MAX = 1_000_000;
    private static final int TASKS_MAX = 4_000_000;

    private final Terminal terminal;

    @Option(
            names = "--machines",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000,10000,50000,130000",
            description =
                    "counts of machines, separated by commas; each cell runs 100,000 tasks (default: ${DEFAULT-VALUE})")
    private List<Integer> machines = List.of();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            split = ",",
            defaultValue = "10000,100000,500000,2000000",
            description =
                    "counts of tasks, separated by commas; each cell has 10,000 machines (default: ${DEFAULT-VALUE})")
    private List<Integer> tasks = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "rounds for each figure in a turn; the best one counts (default: ${DEFAULT-VALUE})")
    private int rounds = 5;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often all cells are measured, one after another (default: ${DEFAULT-VALUE})")
    private int turns = 3;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    public BenchGrowthCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Cells that differ in one size. */
    private record Curve(String size, ToIntFunction<GrowthFigures> sizeOf, List<GrowthFigures> cells) {
        double exponent(Part part) {
            return GrowthFigures.exponent(cells, part, sizeOf);
        }

        double lastStep(Part part) {
            return GrowthFigures.exponentAtTheEnd(cells, part, sizeOf);
        }
    }

    @Override
    public Integer call() {
        check(machines, MACHINES_MAX);
        check(tasks, TASKS_MAX);
        if (Math.min(rounds, turns) < 1) {
            throw CommandFailure.usage(
                    "there is at least one round and one turn", "cella bench growth --rounds 5 --turns 3");
        }
        GrowthBench bench = new GrowthBench(rounds);
        terminal.say("warming up");
        bench.warmUp();
        List<GrowthFigures> byMachines = List.of();
        List<GrowthFigures> byTasks = List.of();
        for (int turn = 1; turn <= turns; turn++) {
            byMachines = best(byMachines, measured(turn, machines, "machines", each -> bench.measure(each, 100_000)));
            byTasks = best(byTasks, measured(turn, tasks, "tasks", each -> bench.measure(10_000, each)));
        }
        List<Curve> curves = List.of(
                new Curve("machines", GrowthFigures::machines, byMachines),
                new Curve("tasks", GrowthFigures::tasks, byTasks));
        return format.answer(terminal, curves, BenchGrowthCommand::data, all -> all.forEach(this::print));
    }

    private List<GrowthFigures> measured(
            int turn, List<Integer> sizes, String what, IntFunction<GrowthFigures> measure) {
        List<GrowthFigures> cells = new ArrayList<>();
        for (int size : sizes) {
            terminal.say(String.format(Locale.ROOT, "turn %d of %d: measuring %,d %s", turn, turns, size, what));
            cells.add(measure.apply(size));
        }
        return cells;
    }

    private static List<GrowthFigures> best(List<GrowthFigures> before, List<GrowthFigures> again) {
        return before.isEmpty()
                ? again
                : IntStream.range(0, again.size())
                        .mapToObj(place -> before.get(place).best(again.get(place)))
                        .toList();
    }

    private static void check(List<Integer> sizes, int max) {
        if (sizes.size() < 2 || sizes.stream().anyMatch(size -> size < 100 || size > max)) {
            throw CommandFailure.usage(
                    String.format(Locale.ROOT, "a curve has two sizes and more, each from 100 to %,d", max),
                    "cella bench growth --machines 1000,130000 --tasks 10000,2000000");
        }
    }

    private static Map<String, Object> data(List<Curve> curves) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("bench", "growth");
        for (Curve curve : curves) {
            data.put(
                    curve.size(),
                    curve.cells().stream().map(BenchGrowthCommand::row).toList());
            data.put(curve.size() + "Exponents", byPart(curve::exponent));
            data.put(curve.size() + "LastStep", byPart(curve::lastStep));
        }
        return data;
    }

    private static Map<String, Object> byPart(ToDoubleFunction<Part> figure) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (Part part : Part.values()) {
            figures.put(part.name().toLowerCase(Locale.ROOT), figure.applyAsDouble(part));
        }
        return figures;
    }

    private static Map<String, Object> row(GrowthFigures cell) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("machines", cell.machines());
        row.put("tasks", cell.tasks());
        for (Part part : Part.values()) {
            row.put(part.name().toLowerCase(Locale.ROOT) + "Micros", cell.microsOf(part));
        }
        return row;
    }

    private void print(Curve curve) {
        List<String> head = new ArrayList<>(List.of(">" + curve.size().toUpperCase(Locale.ROOT)));
        for (Part part : Part.values()) {
            head.add(">" + part.name());
        }
        Table table = new Table(head.toArray(String[]::new));
        for (GrowthFigures cell : curve.cells()) {
            List<String> row = new ArrayList<>();
            row.add(String.format(Locale.ROOT, "%,d", curve.sizeOf().applyAsInt(cell)));
            for (Part part : Part.values()) {
                row.add(time(cell.microsOf(part)));
            }
            table.row(row.toArray());
        }
        table.row(exponents("exponent", curve::exponent));
        table.row(exponents("last step", curve::lastStep));
        table.print(terminal);
    }

    private static Object[] exponents(String name, ToDoubleFunction<Part> exponent) {
        List<String> row = new ArrayList<>(List.of(name));
        for (Part part : Part.values()) {
            row.add(String.format(Locale.ROOT, "%.2f", exponent.applyAsDouble(part)));
        }
        return row.toArray();
    }

    private static String time(double micros) {
        return micros < 1_000
                ? String.format(Locale.ROOT, "%.2f us", micros)
                : String.format(Locale.ROOT, "%.1f ms", micros / 1_000);
    }
}
