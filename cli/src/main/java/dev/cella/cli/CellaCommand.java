package dev.cella.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.cli.access.AuditCommand;
import dev.cella.cli.access.TlsCommand;
import dev.cella.cli.access.TlsInitCommand;
import dev.cella.cli.access.TokenCommand;
import dev.cella.cli.access.TokenCreateCommand;
import dev.cella.cli.access.TokenListCommand;
import dev.cella.cli.access.TokenRevokeCommand;
import dev.cella.cli.bench.BenchClientsCommand;
import dev.cella.cli.bench.BenchClosedCommand;
import dev.cella.cli.bench.BenchCommand;
import dev.cella.cli.bench.BenchCommitCommand;
import dev.cella.cli.bench.BenchCompareCommand;
import dev.cella.cli.bench.BenchConflictsCommand;
import dev.cella.cli.bench.BenchFailoverCommand;
import dev.cella.cli.bench.BenchFeedCommand;
import dev.cella.cli.bench.BenchGrowthCommand;
import dev.cella.cli.bench.BenchHostileCommand;
import dev.cella.cli.bench.BenchOperateCommand;
import dev.cella.cli.bench.BenchPageCommand;
import dev.cella.cli.bench.BenchPlaceCommand;
import dev.cella.cli.bench.BenchPlanCommand;
import dev.cella.cli.bench.BenchRecordCommand;
import dev.cella.cli.bench.BenchReportCommand;
import dev.cella.cli.bench.BenchRestCommand;
import dev.cella.cli.bench.BenchRestartCommand;
import dev.cella.cli.bench.BenchRunCommand;
import dev.cella.cli.bench.BenchSharingCommand;
import dev.cella.cli.bench.BenchSimulatorCommand;
import dev.cella.cli.bench.BenchStartCommand;
import dev.cella.cli.bench.BenchTraceCommand;
import dev.cella.cli.chaos.ChaosCommand;
import dev.cella.cli.chaos.ChaosGuardCommand;
import dev.cella.cli.chaos.ChaosInjectCommand;
import dev.cella.cli.chaos.ChaosListCommand;
import dev.cella.cli.chaos.ChaosReplayCommand;
import dev.cella.cli.chaos.ChaosRunCommand;
import dev.cella.cli.chaos.ChaosShrinkCommand;
import dev.cella.cli.conflict.ConflictsCommand;
import dev.cella.cli.conflict.SchedulersCommand;
import dev.cella.cli.demo.DemoCommand;
import dev.cella.cli.dev.DevCommand;
import dev.cella.cli.federation.FederationCommand;
import dev.cella.cli.federation.FederationStatusCommand;
import dev.cella.cli.job.JobCommand;
import dev.cella.cli.job.JobExplainCommand;
import dev.cella.cli.job.JobListCommand;
import dev.cella.cli.job.JobLogsCommand;
import dev.cella.cli.job.JobPlanCommand;
import dev.cella.cli.job.JobPromoteCommand;
import dev.cella.cli.job.JobRestartCommand;
import dev.cella.cli.job.JobRevertCommand;
import dev.cella.cli.job.JobRunCommand;
import dev.cella.cli.job.JobScaleCommand;
import dev.cella.cli.job.JobStatusCommand;
import dev.cella.cli.job.JobStopCommand;
import dev.cella.cli.job.JobValidateCommand;
import dev.cella.cli.machine.MachineCommand;
import dev.cella.cli.machine.MachineCordonCommand;
import dev.cella.cli.machine.MachineDrainCommand;
import dev.cella.cli.machine.MachineListCommand;
import dev.cella.cli.machine.MachineReadyCommand;
import dev.cella.cli.machine.MachineRemoveCommand;
import dev.cella.cli.machine.MachineStatusCommand;
import dev.cella.cli.machine.StatusCommand;
import dev.cella.cli.machine.TopCommand;
import dev.cella.cli.member.CellAddCommand;
import dev.cella.cli.member.CellBackupCommand;
import dev.cella.cli.member.CellCommand;
import dev.cella.cli.member.CellLevelCommand;
import dev.cella.cli.member.CellMembersCommand;
import dev.cella.cli.member.CellRemoveCommand;
import dev.cella.cli.member.CellReplaceCommand;
import dev.cella.cli.member.CellRestoreCommand;
import dev.cella.cli.member.CellReviveCommand;
import dev.cella.cli.member.CellTransferCommand;
import dev.cella.cli.member.CellVerifyCommand;
import dev.cella.cli.part.AgentCommand;
import dev.cella.cli.part.ConfigurationOption;
import dev.cella.cli.part.SchedulerCommand;
import dev.cella.cli.part.ServerCommand;
import dev.cella.cli.plugin.SchedulerNewCommand;
import dev.cella.cli.plugin.SchedulerTypesCommand;
import dev.cella.cli.pool.PoolCommand;
import dev.cella.cli.pool.PoolListCommand;
import dev.cella.cli.pool.PoolRemoveCommand;
import dev.cella.cli.pool.PoolSetCommand;
import dev.cella.cli.pool.SchedulerRightsCommand;
import dev.cella.cli.simulate.CompareCommand;
import dev.cella.cli.simulate.SimulateCommand;
import dev.cella.cli.simulate.SimulateFigureCommand;
import dev.cella.cli.simulate.SimulateListCommand;
import dev.cella.cli.simulate.SimulateRunCommand;
import dev.cella.cli.terminal.DurationOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.loop.DecisionTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/** The command {@code cella}: the tree of its subcommands, and the answer to each kind of failure. */
@Command(
        name = "cella",
        header = "Many schedulers over one shared cell.",
        footer = {
            "",
            "Start with:",
            "  cella dev                                   a cell on this machine",
            "  cella job run examples/hello.yaml --wait    a job on it"
        })
final class CellaCommand {
    private static final int HELP_COLUMNS = 100;

    /** In the order in which the help lists them. */
    private static final List<String> COMMANDS = List.of(
            "demo",
            "dev",
            "job",
            "machine",
            "cell",
            "federation",
            "status",
            "top",
            "conflicts",
            "schedulers",
            "pool",
            "chaos",
            "compare",
            "simulate",
            "bench",
            "token",
            "audit",
            "tls",
            "server",
            "scheduler",
            "agent",
            "completion");

    private final Terminal terminal;
    private final Failures failures;

    CellaCommand(Terminal terminal) {
        this.terminal = terminal;
        this.failures = new Failures(terminal);
    }

    /** Runs the typed command. Returns the exit code of the process. */
    int run(String... arguments) {
        int code = List.of(arguments).contains("") ? failures.answerEmptyArgument() : execute(arguments);
        terminal.out().flush();
        Optional<IOException> lost = terminal.lostData();
        if (code == ExitCode.DONE.number() && lost.isPresent()) {
            code = failures.answerLostData(lost.get());
        }
        terminal.err().flush();
        return code;
    }

    /** An answer of the cell may be larger than the memory that the launcher gives to a command. */
    private int execute(String... arguments) {
        try {
            return lineFor(arguments).execute(arguments);
        } catch (OutOfMemoryError tooLarge) {
            return failures.answerOutOfMemory();
        }
    }

    /** All commands and flags, with their handlers. */
    CommandLine line() {
        return configured(tree(COMMANDS));
    }

    /**
     * The command that the first argument names. To make all of them takes longer than most commands run, and they would stay
     * in the memory of an agent or server: 900 classes and 620 options. Only an argument that names no command needs them all,
     * and the script that completes commands.
     */
    CommandLine lineFor(String... arguments) {
        String first = arguments.length > 0 ? arguments[0] : "";
        boolean needsAll = first.equals("completion") || !COMMANDS.contains(first);
        return configured(tree(needsAll ? COMMANDS : List.of(first)));
    }

    private CommandLine tree(List<String> names) {
        CommandLine root = new CommandLine(this);
        names.forEach(name -> root.addSubcommand(command(name)));
        return root;
    }

    private CommandLine command(String name) {
        return switch (name) {
            case "demo" -> new CommandLine(new DemoCommand(terminal));
            case "dev" -> new CommandLine(new DevCommand(terminal));
            case "job" ->
                new CommandLine(new JobCommand())
                        .addSubcommand(new JobRunCommand(terminal))
                        .addSubcommand(new JobValidateCommand(terminal))
                        .addSubcommand(new JobPlanCommand(terminal))
                        .addSubcommand(new JobListCommand(terminal))
                        .addSubcommand(new JobStatusCommand(terminal))
                        .addSubcommand(new JobExplainCommand(terminal))
                        .addSubcommand(new JobScaleCommand(terminal))
                        .addSubcommand(new JobRestartCommand(terminal))
                        .addSubcommand(new JobRevertCommand(terminal))
                        .addSubcommand(new JobPromoteCommand(terminal))
                        .addSubcommand(new JobStopCommand(terminal))
                        .addSubcommand(new JobLogsCommand(terminal));
            case "machine" ->
                new CommandLine(new MachineCommand())
                        .addSubcommand(new MachineListCommand(terminal))
                        .addSubcommand(new MachineStatusCommand(terminal))
                        .addSubcommand(new MachineCordonCommand(terminal))
                        .addSubcommand(new MachineDrainCommand(terminal))
                        .addSubcommand(new MachineReadyCommand(terminal))
                        .addSubcommand(new MachineRemoveCommand(terminal));
            case "cell" ->
                new CommandLine(new CellCommand())
                        .addSubcommand(new CellMembersCommand(terminal))
                        .addSubcommand(new CellAddCommand(terminal))
                        .addSubcommand(new CellRemoveCommand(terminal))
                        .addSubcommand(new CellReplaceCommand(terminal))
                        .addSubcommand(new CellTransferCommand(terminal))
                        .addSubcommand(new CellBackupCommand(terminal))
                        .addSubcommand(new CellRestoreCommand(terminal))
                        .addSubcommand(new CellReviveCommand(terminal))
                        .addSubcommand(new CellLevelCommand(terminal))
                        .addSubcommand(new CellVerifyCommand(terminal));
            case "federation" ->
                new CommandLine(new FederationCommand()).addSubcommand(new FederationStatusCommand(terminal));
            case "status" -> new CommandLine(new StatusCommand(terminal));
            case "top" -> new CommandLine(new TopCommand(terminal));
            case "conflicts" -> new CommandLine(new ConflictsCommand(terminal));
            case "schedulers" ->
                new CommandLine(new SchedulersCommand(terminal)).addSubcommand(new SchedulerRightsCommand(terminal));
            case "pool" ->
                new CommandLine(new PoolCommand())
                        .addSubcommand(new PoolListCommand(terminal))
                        .addSubcommand(new PoolSetCommand(terminal))
                        .addSubcommand(new PoolRemoveCommand(terminal));
            case "chaos" ->
                new CommandLine(new ChaosCommand())
                        .addSubcommand(new ChaosListCommand(terminal))
                        .addSubcommand(new ChaosRunCommand(terminal))
                        .addSubcommand(new ChaosInjectCommand(terminal))
                        .addSubcommand(new ChaosGuardCommand(terminal))
                        .addSubcommand(new ChaosReplayCommand(terminal))
                        .addSubcommand(new ChaosShrinkCommand(terminal));
            case "compare" -> new CommandLine(new CompareCommand(terminal));
            case "simulate" ->
                new CommandLine(new SimulateCommand())
                        .addSubcommand(new SimulateListCommand(terminal))
                        .addSubcommand(new SimulateRunCommand(terminal))
                        .addSubcommand(new SimulateFigureCommand(terminal));
            case "bench" ->
                new CommandLine(new BenchCommand())
                        .addSubcommand(new BenchCommitCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchClientsCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchClosedCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchCompareCommand(terminal))
                        .addSubcommand(new BenchConflictsCommand(terminal))
                        .addSubcommand(new BenchRunCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchFailoverCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchFeedCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchGrowthCommand(terminal))
                        .addSubcommand(new BenchHostileCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchOperateCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchPageCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchRecordCommand(terminal))
                        .addSubcommand(new BenchPlaceCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchPlanCommand(terminal))
                        .addSubcommand(new BenchReportCommand(terminal))
                        .addSubcommand(new BenchRestCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchRestartCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchSharingCommand(terminal))
                        .addSubcommand(new BenchSimulatorCommand(terminal))
                        .addSubcommand(new BenchStartCommand(terminal, Main.class.getName()))
                        .addSubcommand(new BenchTraceCommand(terminal));
            case "token" ->
                new CommandLine(new TokenCommand())
                        .addSubcommand(new TokenCreateCommand(terminal))
                        .addSubcommand(new TokenListCommand(terminal))
                        .addSubcommand(new TokenRevokeCommand(terminal));
            case "audit" -> new CommandLine(new AuditCommand(terminal));
            case "tls" -> new CommandLine(new TlsCommand()).addSubcommand(new TlsInitCommand(terminal));
            case "server" -> new CommandLine(new ServerCommand(terminal));
            case "scheduler" ->
                new CommandLine(new SchedulerCommand(terminal))
                        .addSubcommand(new SchedulerTypesCommand(terminal))
                        .addSubcommand(new SchedulerNewCommand(terminal, Version.current()));
            case "agent" -> new CommandLine(new AgentCommand(terminal));
            case "completion" -> new CommandLine(new CompletionCommand(terminal));
            default -> throw new IllegalArgumentException("there is no command " + name);
        };
    }

    private CommandLine configured(CommandLine line) {
        line.setOut(new PrintWriter(terminal.out(), true, UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, UTF_8))
                .setUsageHelpWidth(HELP_COLUMNS)
                // Else --token @FILE would become the words of the file before the option sees it.
                .setExpandAtFiles(false)
                .registerConverter(Duration.class, DurationOption::parse)
                .registerConverter(DecisionTime.class, DecisionTimeOption::parse)
                .registerConverter(OutputOption.Format.class, OutputOption.Format::parse)
                .setParameterExceptionHandler(failures::answerUsage)
                .setExecutionExceptionHandler(failures::answerFailure);
        addVersion(line);
        addHelp(line);
        ConfigurationOption.provideDefaults(line.getCommandSpec());
        return line;
    }

    private static void addVersion(CommandLine line) {
        line.getCommandSpec()
                .version("cella " + Version.current())
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("print the version")
                        .build());
    }

    private static void addHelp(CommandLine line) {
        line.getCommandSpec()
                .exitCodeOnInvalidInput(ExitCode.USAGE.number())
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("print this help")
                        .build());
        line.getSubcommands().values().forEach(CellaCommand::addHelp);
    }
}
