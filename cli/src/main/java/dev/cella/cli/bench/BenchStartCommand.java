package dev.cella.cli.bench;

import dev.cella.bench.cell.StartBench;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench start}: measures how long {@code cella dev} takes until it is ready. */
@Command(
        name = "start",
        header = "How long cella dev takes until it is ready: a new cell, and the same again.",
        description = {
            "The time is that from the start of the process, its JVM included, until it has printed what it runs. The",
            "launcher's own time, some hundredths of a second, is not in it.",
            ""
        },
        footer = {"", "Example:", "  cella bench start --replicas 3 --times 5"})
public final class BenchStartCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Option(
            names = "--replicas",
            paramLabel = "1|3|5",
            defaultValue = "1",
            description = "the number of servers of each cell (default: ${DEFAULT-VALUE})")
    private int replicas = 1;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "3",
            description = "how many cells (default: ${DEFAULT-VALUE})")
    private int times = 3;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    /** The main class is that of the command, which is started as the cell. */
    public BenchStartCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        if (times < 1 || !List.of(1, 3, 5).contains(replicas)) {
            throw CommandFailure.usage(
                    "there is at least one cell, and a cell has 1, 3 or 5 replicas", "cella bench start --replicas 3");
        }
        StartBench.Report report = StartBench.run(mainClass, StartBench.launched(), replicas, times);
        return format.answer(terminal, report, BenchStartCommand::data, this::print);
    }

    private static Map<String, Object> data(StartBench.Report report) {
        Map<String, Object> data = BenchReport.data("start", report.conditions());
        data.put("replicas", report.replicas());
        data.put(
                "starts",
                report.starts().stream()
                        .map(start -> Map.of("newSeconds", start.newSeconds(), "againSeconds", start.againSeconds()))
                        .toList());
        return data;
    }

    private void print(StartBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        Table table = new Table(">CELL", ">NEW", ">AGAIN");
        for (int cell = 0; cell < report.starts().size(); cell++) {
            StartBench.Start start = report.starts().get(cell);
            table.row(cell + 1, BenchReport.seconds(start.newSeconds()), BenchReport.seconds(start.againSeconds()));
        }
        table.print(terminal);
    }
}
