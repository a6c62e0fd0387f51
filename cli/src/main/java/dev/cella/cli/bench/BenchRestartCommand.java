package dev.cella.cli.bench;

import dev.cella.bench.cell.RestartBench;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella bench restart}: measures the cost of a restart. */
@Command(
        name = "restart",
        header = "How long a killed server is away: it starts again with all its live tasks.",
        description = {
            "The server is killed as by kill -9. The time is that from the start of the new process, its JVM included,"
                    + " until it",
            "answers again, and of it what loading the checkpoint took; the heap is what is in use after a collection.",
            "That every task is there again is checked."
        },
        footer = {"", "Example:", "  cella bench restart --tasks 1000000 --machines 50000"})
public final class BenchRestartCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchMachines machines = new BenchMachines();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "100000",
            description = "live when the server is killed (default: ${DEFAULT-VALUE})")
    private long tasks;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often it is killed (default: ${DEFAULT-VALUE})")
    private int times;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    /**
     * The main class is that of the command, which is started as the server.
     */
    public BenchRestartCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        if (machines.number() < 1 || tasks < 1 || times < 1) {
            throw CommandFailure.usage(
                    "there is at least one machine, one task and one restart", "cella bench restart --times 3");
        }
        RestartBench.Report report = RestartBench.run(mainClass, machines.number(), tasks, times);
        return format.answer(terminal, report, BenchRestartCommand::data, this::print);
    }

    private static Map<String, Object> data(RestartBench.Report report) {
        Map<String, Object> data = BenchReport.data("restart", report.conditions());
        data.put("machines", report.machines());
        data.put("tasks", report.tasks());
        data.put(
                "restarts",
                report.restarts().stream().map(BenchRestartCommand::data).toList());
        return data;
    }

    private static Map<String, Object> data(RestartBench.Restart restart) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("seconds", restart.seconds());
        data.put("processSeconds", restart.processSeconds());
        data.put("checkpointSeconds", restart.checkpointSeconds());
        data.put("logSeconds", restart.logSeconds());
        data.put("electionSeconds", restart.electionSeconds());
        data.put("replaySeconds", restart.replaySeconds());
        data.put("doorsSeconds", restart.doorsSeconds());
        data.put("replayedEntries", restart.replayedEntries());
        data.put("replayedClaims", restart.replayedClaims());
        data.put("heapMib", restart.heapMib());
        return data;
    }

    private void print(RestartBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        terminal.print(String.format(
                Locale.ROOT, "cell      %,d machines, %,d live tasks", report.machines(), report.tasks()));
        Table table = new Table(
                ">RESTART",
                ">PROCESS",
                ">CHECKPOINT",
                ">LOG",
                ">ELECTION",
                ">REPLAY",
                ">DOORS",
                ">UNTIL IT ANSWERS",
                ">ENTRIES",
                ">CLAIMS/S",
                ">HEAP");
        for (int time = 0; time < report.restarts().size(); time++) {
            RestartBench.Restart restart = report.restarts().get(time);
            table.row(
                    time + 1,
                    BenchReport.seconds(restart.processSeconds()),
                    BenchReport.seconds(restart.checkpointSeconds()),
                    BenchReport.seconds(restart.logSeconds()),
                    BenchReport.seconds(restart.electionSeconds()),
                    BenchReport.seconds(restart.replaySeconds()),
                    BenchReport.seconds(restart.doorsSeconds()),
                    BenchReport.seconds(restart.seconds()),
                    String.format(Locale.ROOT, "%,d", restart.replayedEntries()),
                    String.format(Locale.ROOT, "%,.0f", restart.replayedClaims() / restart.replaySeconds()),
                    BenchReport.mib(restart.heapMib()));
        }
        table.print(terminal);
    }
}
