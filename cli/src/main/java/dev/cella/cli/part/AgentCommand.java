package dev.cella.cli.part;

import dev.cella.agent.CellAgent;
import dev.cella.agent.CellAgentOptions;
import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.logs.LogAddress;
import dev.cella.agent.logs.OutputLimits;
import dev.cella.chaos.processes.LiveTarget;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.OtherCell;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.CellAddresses;
import dev.cella.client.access.TlsRole;
import dev.cella.client.job.Names;
import dev.cella.client.proto.AgentConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella agent}: runs tasks on this machine, for a cell elsewhere. */
@Command(
        name = "agent",
        header = "Offers this machine, or another cell, to a cell, and runs tasks there.",
        description = {"", "It waits for a cell that is not there yet. It logs to standard error.", ""},
        footer = {
            "",
            "Examples:",
            "  cella agent --data /var/lib/cella-agent --address http://10.0.0.1:7070",
            "  cella agent --data /var/lib/cella-north --address http://10.0.0.1:7070 --cell http://10.0.1.1:7070",
            "  cella agent --config /etc/cella/agent.yaml"
        })
public final class AgentCommand implements Callable<Integer> {
    private static final int LOG_LIMIT_MIB_MAX = 4_096;

    private final Terminal terminal;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "where the tasks' output and the agent's notes are kept")
    private String data = "";

    @Option(names = "--name", paramLabel = "NAME", description = "the machine's name (default: its host name)")
    private @Nullable String name;

    @Option(
            names = "--task-user",
            paramLabel = "USER",
            description = "the user that runs tasks (default: nobody for root, else the agent's user)")
    private @Nullable String taskUser;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "10s",
            description = "how long the cell waits for a silent agent, from 300ms to 168h (default: 10s)")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--attribute",
            paramLabel = "NAME=VALUE",
            description = "an attribute of the machine, beside those that the agent finds; may be given again")
    private Map<String, String> attributes = new LinkedHashMap<>();

    @Option(
            names = "--log-address",
            paramLabel = "URL",
            description = "where the tasks' output is served, http://HOST:PORT; the cell's servers must reach it"
                    + " (default: loopback, any port)")
    private @Nullable String logAddress;

    @Option(
            names = "--log-limit-mib",
            paramLabel = "N",
            description = "how much of a task's output is kept, and as much of its errors: the newest N MiB, up to 4096"
                    + " (default: 16)")
    private @Nullable Integer logLimitMib;

    @Option(
            names = "--tls",
            paramLabel = "DIR",
            description = "the certificates that cella tls init made, for a cell with TLS")
    private @Nullable String tls;

    @Option(
            names = "--member",
            paramLabel = "DIMENSION=MEMBERS",
            description = "what the machine has of a set: ports=8080,20000-31999, gpus=0-3; may be given again"
                    + " (default: ports=20000-31999, and gpus as found)")
    private Map<String, String> members = new LinkedHashMap<>();

    @Option(
            names = "--keep-tasks",
            description = "leaves the tasks running when this agent is told to go, for the one that is started next"
                    + " (default: they get their stop signal and a second)")
    private boolean keepTasks;

    @Option(
            names = "--cell",
            paramLabel = "URL",
            description = "offers the whole cell of these servers as one machine, instead of this machine; a task on it"
                    + " is a job there")
    private @Nullable String cell;

    @Option(
            names = "--cell-token",
            paramLabel = "TOKEN",
            description =
                    "with --cell: the token for that cell, or @FILE (default: none; that of --address is not sent there)")
    private @Nullable String cellToken;

    @Option(
            names = "--cell-ca",
            paramLabel = "FILE",
            description = "with --cell: the certificate of that cell's authority (default: as for --address)")
    private @Nullable String cellCa;

    @Option(
            names = "--cell-tls",
            paramLabel = "DIR",
            description = "with --cell: the certificates for that cell (default: as for --address)")
    private @Nullable String cellTls;

    @Option(
            names = "--patience",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description = "with --cell: how long a task may wait for a machine there before it is given back"
                    + " (default: 5s)")
    private Duration patience = CellAgentOptions.PATIENCE_DEFAULT;

    @Mixin
    private final ChaosSwitch chaos = new ChaosSwitch();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final ConfigurationOption<AgentConfiguration> configuration;

    public AgentCommand(Terminal terminal) {
        this.terminal = terminal;
        this.configuration = new ConfigurationOption<>(AgentConfiguration.getDefaultInstance(), terminal);
    }

    @Override
    public Integer call() throws Exception {
        PartLog.toStandardError();
        Parts parts = new Parts(terminal);
        if (cell != null) {
            offer(cell, parts);
            throw parts.run();
        }
        refuseFlagsOfAnotherCell();
        NodeAgentOptions options = options();
        NodeAgent agent = NodeAgent.start(options);
        parts.<AutoCloseable>start(() -> () -> end(agent));
        parts.endWith(agent.failed(), "");
        chaos.allow(
                terminal,
                parts,
                Set.of(LiveTarget.Role.AGENT),
                options.machines().get(0).name(),
                options.cell().all(),
                false);
        terminal.print("agent of " + options.machines().get(0).name() + ", for " + options.cell());
        terminal.out().flush();
        throw parts.run();
    }

    /** The next agent, started with another setting or by another program, goes on with the tasks of one that has failed. */
    private void end(NodeAgent agent) {
        if (keepTasks || agent.failed().isDone()) {
            agent.leave();
        } else {
            agent.close();
        }
    }

    // ---- another cell

    private void offer(String offered, Parts parts) throws Exception {
        refuseFlagsOfMachines();
        checkLease();
        OtherCell other = new OtherCell(
                offered, Optional.ofNullable(cellToken), Optional.ofNullable(cellCa), Optional.ofNullable(cellTls));
        CellAddresses member = cellOption.addressesOf(
                terminal, other, configuration.said("--cell"), TlsRole.AGENT, Optional.ofNullable(tls));
        CellAgentOptions plain = CellAgentOptions.of(
                        addresses(), member, terminal.environment().path(data), new SecureRandom().nextLong())
                .withLease(lease)
                .withPatience(patience)
                .withLogAddress(logAddress());
        CellAgentOptions options = name == null ? plain : plain.withName(machineName());
        CellAgent agent = parts.start(() -> CellAgent.start(options));
        parts.endWith(agent.failed(), "");
        parts.endWith(agent.ended(), "a cell has one agent in its home: stop the other one, or name another cell");
        terminal.print("agent of the cell at " + member + ", for " + options.home());
        terminal.out().flush();
    }

    /** They describe this machine, which is not offered, or its agent. */
    private void refuseFlagsOfMachines() {
        Map<String, Boolean> given = new LinkedHashMap<>();
        given.put("--attribute", !attributes.isEmpty());
        given.put("--member", !members.isEmpty());
        given.put("--task-user", taskUser != null);
        given.put("--log-limit-mib", logLimitMib != null);
        given.put("--keep-tasks", keepTasks);
        given.put("--chaos", chaos.isOn());
        given.forEach((flag, isGiven) -> {
            if (isGiven) {
                throw CommandFailure.usage(
                        configuration.said(flag) + " is about this machine, and --cell offers another cell instead",
                        "leave one of the two out");
            }
        });
    }

    private void refuseFlagsOfAnotherCell() {
        Map<String, @Nullable String> given = new LinkedHashMap<>();
        given.put("--cell-token", cellToken);
        given.put("--cell-ca", cellCa);
        given.put("--cell-tls", cellTls);
        given.forEach((flag, value) -> {
            if (value != null) {
                throw CommandFailure.usage(
                        configuration.said(flag) + " is for the cell of --cell, which is not given",
                        "for the cell of --address there is " + flag.replace("cell-", ""));
            }
        });
    }

    private CellAddresses addresses() {
        return cellOption.addresses(terminal, configuration.said("--address"), TlsRole.AGENT, Optional.ofNullable(tls));
    }

    // ---- this machine

    private String machineName() {
        String machineName = name == null ? MachineName.ofThisMachine() : name;
        Names.refuseMachine(machineName).ifPresent(why -> {
            throw CommandFailure.usage(configuration.said("--name") + " " + why, "see cella agent --help");
        });
        return machineName;
    }

    private void checkLease() {
        if (lease.compareTo(NodeAgentOptions.LEASE_MIN) < 0) {
            throw wrongLease(" is shorter than " + NodeAgentOptions.LEASE_MIN.toMillis() + "ms");
        }
        if (lease.compareTo(NodeAgentOptions.LEASE_MAX) > 0) {
            throw wrongLease(" is longer than " + NodeAgentOptions.LEASE_MAX.toHours() + "h");
        }
    }

    private CommandFailure wrongLease(String why) {
        return CommandFailure.usage(configuration.said("--lease") + why, "see cella agent --help");
    }

    private NodeAgentOptions options() throws IOException {
        String machineName = machineName();
        checkLease();
        Path directory = terminal.environment().path(data);
        MachineOptions machine =
                MachineOptions.thisMachine(machineName, directory).withAttributes(attributes);
        return NodeAgentOptions.of(addresses(), withMembers(machine), directory, new SecureRandom().nextLong())
                .withLease(lease)
                .withLogAddress(logAddress())
                .withOutputLimits(outputLimits())
                .withTasksOutliving()
                .withTaskUser(Optional.ofNullable(taskUser));
    }

    private MachineOptions withMembers(MachineOptions machine) {
        try {
            return machine.withMembers(members);
        } catch (IllegalArgumentException refused) {
            throw CommandFailure.usage(
                    configuration.said("--member") + " is wrong: " + refused.getMessage(), "see cella agent --help");
        }
    }

    private OutputLimits outputLimits() {
        if (logLimitMib == null) {
            return OutputLimits.DEFAULT;
        }
        if (logLimitMib < 1 || logLimitMib > LOG_LIMIT_MIB_MAX) {
            throw CommandFailure.usage(
                    configuration.said("--log-limit-mib") + " is from 1 to " + LOG_LIMIT_MIB_MAX + ", not "
                            + logLimitMib,
                    "see cella agent --help");
        }
        return OutputLimits.DEFAULT.withStreamBytes((long) logLimitMib << 20);
    }

    private LogAddress logAddress() {
        try {
            return logAddress == null ? LogAddress.LOOPBACK : LogAddress.parse(logAddress);
        } catch (IllegalArgumentException refused) {
            throw CommandFailure.usage(
                    configuration.said("--log-address") + " " + refused.getMessage(), "see cella agent --help");
        }
    }
}
