package dev.cella.cli.dev;

import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.runner.Isolation;
import dev.cella.chaos.processes.LiveTarget;
import dev.cella.cli.cell.RunningDev;
import dev.cella.cli.cell.RunningDevs;
import dev.cella.cli.machine.MachineListing;
import dev.cella.cli.part.ChaosSwitch;
import dev.cella.cli.part.Departures;
import dev.cella.cli.part.PartLog;
import dev.cella.cli.part.Parts;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.plugin.SchedulerSetting;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.DurationOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.Machine;
import dev.cella.state.core.Departure;
import dev.cella.state.core.StartRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella dev}: a whole cell on this machine, until Ctrl-C. */
@Command(
        name = "dev",
        header = "Runs a whole cell on this machine, until Ctrl-C.",
        description = {
            "",
            "A server, a scheduler of each type, and this machine as a node. The data stays: the same --data shows the"
                    + " same jobs again.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella dev",
            "  cella dev --port 0 --data /tmp/cell --machines 20",
            "  cella dev --cells 3",
            "  cella dev --scheduler batch:night --scheduler batch:day",
            "  cella dev --plugin my-scheduler.jar --option mine:cores=2"
        })
public final class DevCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;
    private static final int HOLLOW_MACHINES_MAX = 10_000;
    private static final int CELLS_MAX = 9;

    private final Terminal terminal;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "where the cell is kept (default: $XDG_DATA_HOME/cella/dev, else ~/.local/share/cella/dev)")
    private @Nullable String data;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7070",
            description = "the port to listen on, on 127.0.0.1; 0 takes any (default: 7070)")
    private int port = 7070;

    @Option(
            names = "--replicas",
            paramLabel = "1|3|5",
            defaultValue = "1",
            description = "the number of servers; several are processes and ports of their own (default: 1)")
    private int replicas = 1;

    @Option(
            names = "--cells",
            paramLabel = "N",
            defaultValue = "1",
            description = "the number of cells, each with a server, data and an equal part of this machine; the first"
                    + " has the others as machines, and megha plans on all (default: 1)")
    private int cells = 1;

    @Option(
            names = "--machines",
            paramLabel = "N",
            defaultValue = "0",
            description = "the number of hollow machines besides this one: their tasks run in name only (default: 0)")
    private int hollowMachines;

    @Option(
            names = "--hollow-run-time",
            paramLabel = "DURATION|forever",
            description =
                    "how long the tasks of batch jobs live on hollow machines, where they do not say (default: 10s)")
    private @Nullable String hollowRunTime;

    @Mixin
    private final ChaosSwitch chaos = new ChaosSwitch();

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Option(
            names = "--scheduler",
            paramLabel = "TYPE[:NAME]",
            description = "a scheduler beside the one of each type, which is called as its type; may be given again")
    private List<String> more = List.of();

    @Option(
            names = "--option",
            paramLabel = "SCHEDULER:NAME=VALUE",
            description = "sets an option of a scheduler, as cella scheduler types shows them; may be given again")
    private Map<String, String> set = Map.of();

    @Option(
            names = "--task-user",
            paramLabel = "USER",
            description = "the user that runs tasks (default: nobody for root, else you)")
    private @Nullable String taskUser;

    public DevCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Instant begun = terminal.environment().clock().instant();
        DevOptions options = options();
        PartLog.toFile(options.log());
        Parts parts = new Parts(terminal);
        DevCell cell = start(options, parts);
        parts.start(() -> announce(cell, options));
        chaos.allow(terminal, parts, roles(), "dev", cell.addresses().all(), true);
        print(
                cell,
                options,
                Duration.between(begun, terminal.environment().clock().instant()));
        throw parts.run();
    }

    /** With one replica the server is in this process. */
    private Set<LiveTarget.Role> roles() {
        return replicas == 1
                ? Set.of(LiveTarget.Role.values())
                : Set.of(LiveTarget.Role.SCHEDULER, LiveTarget.Role.AGENT);
    }

    private Optional<Duration> hollowRunTime() {
        if (hollowRunTime == null || hollowRunTime.equals("forever")) {
            return Optional.ofNullable(hollowRunTime).map(forever -> NodeAgentOptions.FOREVER);
        }
        try {
            return Optional.of(DurationOption.parse(hollowRunTime));
        } catch (CommandLine.TypeConversionException noDuration) {
            throw CommandFailure.usage(
                    "--hollow-run-time is no duration: " + hollowRunTime, "write 30s, 5m or forever");
        }
    }

    private DevOptions options() throws InterruptedException {
        checkRange("--port", port, PORT_MAX);
        checkRange("--machines", hollowMachines, HOLLOW_MACHINES_MAX);
        checkReplicas();
        checkCells();
        checkTasksCanRun();
        Path folder = data == null
                ? terminal.environment().dataFolder().resolve("dev")
                : terminal.environment().path(data);
        return new DevOptions(
                folder,
                port,
                replicas,
                hollowMachines,
                hollowRunTime(),
                Optional.ofNullable(taskUser),
                schedulers(),
                chaos.isOn(),
                cells,
                1);
    }

    /**
     * One scheduler of each type, and those that are asked for. Each is created once on trial, so that a fault is reported
     * before anything starts.
     */
    private List<SchedulerSetting> schedulers() {
        List<SchedulerSetting> schedulers = SchedulerSetting.ofAll(plugins.types(terminal), more, set);
        schedulers.forEach(SchedulerSetting::create);
        return schedulers;
    }

    private static void checkRange(String option, int value, int max) {
        if (value < 0 || value > max) {
            throw CommandFailure.usage(option + " is from 0 to " + max + ", not " + value, "see cella dev --help");
        }
    }

    private void checkReplicas() {
        if (replicas != 1 && replicas != 3 && replicas != 5) {
            throw CommandFailure.usage("--replicas is 1, 3 or 5, not " + replicas, "see cella dev --help");
        }
    }

    private void checkCells() {
        if (cells < 1 || cells > CELLS_MAX) {
            throw CommandFailure.usage("--cells is from 1 to " + CELLS_MAX + ", not " + cells, "see cella dev --help");
        }
        if (cells > 1 && replicas > 1) {
            throw CommandFailure.usage(
                    "--cells " + cells + " has one server for each cell, and --replicas " + replicas
                            + " several for one",
                    "leave one of the two out");
        }
    }

    /** Checked first: a cell whose agent cannot start would leave its folder behind. */
    private void checkTasksCanRun() throws InterruptedException {
        try {
            Isolation.detect(Optional.ofNullable(taskUser));
        } catch (IOException cannot) {
            throw CommandFailure.failed(
                    String.valueOf(cannot.getMessage()), "name another user with --task-user, or leave it out");
        }
    }

    private DevCell start(DevOptions options, Parts parts) throws Exception {
        Departure departure =
                Departures.halting(terminal, "everything acknowledged is kept; " + options.log() + " says more");
        try {
            parts.start(() -> DevClaim.take(options, new RunningDevs(terminal.environment())));
            return DevCell.start(options, departure, new SecureRandom(), parts);
        } catch (StartRefusedException refused) {
            throw describe(refused, options);
        }
    }

    private CommandFailure describe(StartRefusedException refused, DevOptions options) {
        RunningDevs devs = new RunningDevs(terminal.environment());
        return switch (refused.why()) {
            case PORT_IN_USE -> portInUse(devs.onPort(options.port()));
            case DIRECTORY_IN_USE -> directoryInUse(options, refused);
            case OTHER_CELL ->
                CommandFailure.failed(String.valueOf(refused.getMessage()), "name another directory with --data");
            case LOG_PORT_IN_USE,
                    NOT_WRITABLE,
                    OTHER_REPLICA,
                    DISK_LOW,
                    LOG_INCOMPLETE,
                    OLDER_COPY,
                    NEWER_PROGRAM,
                    DAMAGED -> CommandFailure.failed(String.valueOf(refused.getMessage()), refused.hint());
        };
    }

    private CommandFailure portInUse(Optional<RunningDev> dev) {
        return dev.map(other -> CommandFailure.failed(
                        "port " + port + " is in use by a cella dev (pid " + other.processId() + ")",
                        "use it (cella status), or start another with --port 0 --data DIR"))
                .orElseGet(() -> CommandFailure.failed(
                        "port " + port + " is in use by another program",
                        "choose another one with --port; --port 0 takes any that is free"));
    }

    private static CommandFailure directoryInUse(DevOptions options, StartRefusedException refused) {
        String who = refused.pid().map(pid -> " (pid " + pid + ")").orElse("");
        return CommandFailure.failed(
                "data directory " + options.data() + " is in use by a cella dev" + who,
                "use it (cella status), or start another with --port 0 --data DIR");
    }

    /** Announces the cell to the other commands of this user, until it stops. */
    private AutoCloseable announce(DevCell cell, DevOptions options) {
        RunningDevs devs = new RunningDevs(terminal.environment());
        RunningDev self =
                RunningDev.ofThisProcess(new CellAddresses(cell.addresses().all()), options.data());
        try {
            devs.announce(self);
        } catch (IOException failure) {
            terminal.say("note:  other commands will not find this cell by themselves (" + failure + "); use --address "
                    + cell.address());
        }
        return () -> devs.withdraw(self);
    }

    private void print(DevCell cell, DevOptions options, Duration took) {
        Machine machine = new HttpCell(cell.addresses())
                .getMachine(GetMachineRequest.newBuilder()
                        .setName(cell.machine())
                        // A server that lags does not know the machine yet.
                        .setLinearizable(true)
                        .build());
        terminal.print("cella dev   " + cell.address());
        terminal.print("  data        " + options.data());
        terminal.print("  schedulers  " + String.join(", ", cell.schedulers()));
        terminal.print("  tasks run   " + cell.isolation());
        terminal.print("  machines    this one"
                + (options.hollowMachines() == 0
                        ? ""
                        : " and " + Words.plural(options.hollowMachines(), "hollow one")));
        MachineListing.print(List.of(machine), terminal, "    ");
        cell.members()
                .forEach(member -> terminal.print("  a cell      " + member.address() + ", offered as a machine"));
        offersNoMemory(machine).ifPresent(note -> terminal.print("  note        " + note));
        terminal.print("ready in " + Words.duration(took) + "; Ctrl-C stops it, and the data stays");
        terminal.print("");
        terminal.print("next:  cella job run examples/hello.yaml --wait");
        terminal.out().flush();
    }

    /**
     * In a small container nothing may be left for tasks. This says so now, because a later job is only told "too small".
     */
    static Optional<String> offersNoMemory(Machine machine) {
        return machine.getCapacityOrDefault("memoryMib", 0) > 0
                ? Optional.empty()
                : Optional.of(
                        "this machine has too little memory to offer any, for 1 GiB of it is kept for the system and"
                                + " Cella: no task fits on it; hollow machines run tasks in name only (--machines N)");
    }
}
