package dev.cella.agent;

import dev.cella.agent.logs.LogAddress;
import dev.cella.agent.logs.OutputLimits;
import dev.cella.client.CellAddresses;
import dev.cella.client.LeaseBounds;
import dev.cella.client.access.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The options of an agent.
 *
 * @param cell the addresses of the cell's servers
 * @param dataDirectory for the folders of attempts
 * @param lease how long the cell waits for a silent agent, and the keeper for a silent cell
 * @param taskUser the user of tasks; by default nobody if the agent runs as root
 * @param logAddress where the tasks' output is served; the cell's servers must reach it
 * @param hollowRuntime how long a task runs on a hollow machine, unless it sets a time itself
 * @param tasksOutlive whether tasks go on when the agent is killed, for the next agent to adopt; otherwise they end with it
 * @param seed of all random choices
 */
public record NodeAgentOptions(
        CellAddresses cell,
        List<MachineOptions> machines,
        Path dataDirectory,
        Duration lease,
        Optional<String> taskUser,
        LogAddress logAddress,
        OutputLimits outputLimits,
        Duration hollowRuntime,
        boolean tasksOutlive,
        long seed) {
    static final Duration LEASE_DEFAULT = Duration.ofSeconds(10);
    /** With a shorter lease, a busy machine would lose it. */
    public static final Duration LEASE_MIN = Duration.ofMillis(300);

    public static final Duration LEASE_MAX = LeaseBounds.MACHINE_MAX;

    /** Hollow tasks run until they are told to end. */
    public static final Duration FOREVER = Duration.ofDays(36_500);

    public static final Duration HOLLOW_RUNTIME_DEFAULT = Duration.ofSeconds(10);

    public NodeAgentOptions {
        machines = List.copyOf(machines);
        checkLease(lease);
        if (new HashSet<>(machines.stream().map(MachineOptions::name).toList()).size() < machines.size()) {
            throw new IllegalArgumentException("two machines have one name");
        }
    }

    static void checkLease(Duration lease) {
        if (lease.compareTo(LEASE_MIN) < 0 || lease.compareTo(LEASE_MAX) > 0) {
            throw new IllegalArgumentException(
                    "a lease is from " + LEASE_MIN.toMillis() + " ms to " + LEASE_MAX.toHours() + " h, not " + lease);
        }
    }

    /** The defaults for an agent of one machine, in a cell of one server. */
    public static NodeAgentOptions of(URI cell, MachineOptions machine, Path dataDirectory, long seed) {
        return of(CellAddresses.of(cell), machine, dataDirectory, seed);
    }

    /** The defaults for an agent of one machine. */
    public static NodeAgentOptions of(CellAddresses cell, MachineOptions machine, Path dataDirectory, long seed) {
        return new NodeAgentOptions(
                cell,
                List.of(machine),
                dataDirectory,
                LEASE_DEFAULT,
                Optional.empty(),
                LogAddress.LOOPBACK,
                OutputLimits.DEFAULT,
                HOLLOW_RUNTIME_DEFAULT,
                false,
                seed);
    }

    /** The certificates with which the agent serves output; empty for plain HTTP. */
    Optional<Tls> ownTls() {
        return cell.access().tls().filter(Tls::hasOwn);
    }

    /** The same with these machines besides. */
    public NodeAgentOptions withMachines(List<MachineOptions> more) {
        List<MachineOptions> all = new ArrayList<>(machines);
        all.addAll(more);
        return new NodeAgentOptions(
                cell, all, dataDirectory, lease, taskUser, logAddress, outputLimits, hollowRuntime, tasksOutlive, seed);
    }

    public NodeAgentOptions withTaskUser(Optional<String> user) {
        return new NodeAgentOptions(
                cell,
                machines,
                dataDirectory,
                lease,
                user,
                logAddress,
                outputLimits,
                hollowRuntime,
                tasksOutlive,
                seed);
    }

    public NodeAgentOptions withLease(Duration other) {
        return new NodeAgentOptions(
                cell,
                machines,
                dataDirectory,
                other,
                taskUser,
                logAddress,
                outputLimits,
                hollowRuntime,
                tasksOutlive,
                seed);
    }

    public NodeAgentOptions withLogAddress(LogAddress other) {
        return new NodeAgentOptions(
                cell, machines, dataDirectory, lease, taskUser, other, outputLimits, hollowRuntime, tasksOutlive, seed);
    }

    public NodeAgentOptions withOutputLimits(OutputLimits other) {
        return new NodeAgentOptions(
                cell, machines, dataDirectory, lease, taskUser, logAddress, other, hollowRuntime, tasksOutlive, seed);
    }

    public NodeAgentOptions withTasksOutliving() {
        return new NodeAgentOptions(
                cell, machines, dataDirectory, lease, taskUser, logAddress, outputLimits, hollowRuntime, true, seed);
    }

    public NodeAgentOptions withHollowRuntime(Duration other) {
        return new NodeAgentOptions(
                cell, machines, dataDirectory, lease, taskUser, logAddress, outputLimits, other, tasksOutlive, seed);
    }

    boolean hasRealMachine() {
        return machines.stream().anyMatch(machine -> machine.kind() == MachineOptions.MachineKind.REAL);
    }
}
