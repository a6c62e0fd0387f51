package dev.cella.cli.bench;

import dev.cella.bench.cell.OperateBench;
import dev.cella.bench.cell.OperateBench.Backup;
import dev.cella.bench.cell.OperateBench.Replacement;
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

/** {@code cella bench operate}: backups and replaced replicas of a large cell. */
@Command(
        name = "operate",
        header = "How long a backup and a replaced replica take, and how long commits stop meanwhile.",
        description = {
            "The cell has many live tasks, and 200 transactions of 10 claims are begun each second. A pause is the longest time",
            "in which none was answered. With several replicas, one that follows and the one that leads are killed in turn, lose",
            "their directory, and are replaced. That time is from the start of the new process until it is ready."
        },
        footer = {"", "Example:", "  cella bench operate --replicas 3 --tasks 1000000"})
public final class BenchOperateCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final String mainClass;

    @Mixin
    private final BenchMachines machines = new BenchMachines();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "100000",
            description = "live before the first backup (default: ${DEFAULT-VALUE})")
    private long tasks;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "2",
            description = "how often each is done (default: ${DEFAULT-VALUE})")
    private int times;

    @Mixin
    private final BenchFormat format = new BenchFormat();

    @Mixin
    private final BenchServers servers = new BenchServers();

    /**
     * The main class is that of the command, which is started as the server.
     */
    public BenchOperateCommand(Terminal terminal, String mainClass) {
        this.terminal = terminal;
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() throws Exception {
        if (machines.number() < 1 || tasks < 1 || times < 1) {
            throw CommandFailure.usage(
                    "there is at least one machine, one task and one backup", "cella bench operate --replicas 3");
        }
        OperateBench.Report report = OperateBench.run(servers.of(mainClass), machines.number(), tasks, times);
        return format.answer(terminal, report, BenchOperateCommand::data, this::print);
    }

    private static Map<String, Object> data(OperateBench.Report report) {
        Map<String, Object> data = BenchReport.data("operate", report.conditions());
        data.put("replicas", report.servers().replicas());
        data.put("machines", report.machines());
        data.put("tasks", report.tasks());
        data.put("untouchedPauseMillis", report.untouchedPauseMillis());
        data.put(
                "backups",
                report.backups().stream().map(BenchOperateCommand::data).toList());
        data.put(
                "replacements",
                report.replacements().stream().map(BenchOperateCommand::data).toList());
        return data;
    }

    private static Map<String, Object> data(Backup backup) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("seconds", backup.seconds());
        data.put("mib", backup.mib());
        data.put("pauseMillis", backup.pauseMillis());
        return data;
    }

    private static Map<String, Object> data(Replacement replacement) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("replica", replacement.replica());
        data.put("led", replacement.led());
        data.put("seconds", replacement.seconds());
        data.put("pauseMillis", replacement.pauseMillis());
        return data;
    }

    private void print(OperateBench.Report report) {
        BenchReport.print(report.conditions(), terminal);
        terminal.print(String.format(
                Locale.ROOT,
                "cell      %d replicas, %,d machines, %,d live tasks",
                report.servers().replicas(),
                report.machines(),
                report.tasks()));
        Table table = new Table("WHAT", ">TIME", ">SIZE", ">COMMITS STOPPED");
        table.row("nothing", "", "", BenchReport.millis(report.untouchedPauseMillis()));
        for (Backup backup : report.backups()) {
            table.row(
                    "backup",
                    BenchReport.seconds(backup.seconds()),
                    BenchReport.mib(backup.mib()),
                    BenchReport.millis(backup.pauseMillis()));
        }
        for (Replacement replacement : report.replacements()) {
            table.row(
                    "replaced " + replacement.replica() + (replacement.led() ? ", the leader" : ""),
                    BenchReport.seconds(replacement.seconds()),
                    "",
                    BenchReport.millis(replacement.pauseMillis()));
        }
        table.print(terminal);
    }
}
