package dev.cella.agent;

import dev.cella.agent.logs.LogAddress;
import dev.cella.client.CellAddresses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of an agent that offers a whole cell to another one, its home.
 *
 * @param home the addresses of the home's servers
 * @param member the addresses of the offered cell's servers
 * @param name the machine's name in the home; by default {@code cell-} and the offered cell's name
 * @param dataDirectory for the agent's notes
 * @param lease how long the home waits for a silent agent, and for a member cell that is away
 * @param patience how long a task may wait for a machine of the member cell before the home places it again
 * @param logAddress where the tasks' output is served; the home's servers must reach it
 * @param seed of all random choices
 */
public record CellAgentOptions(
        CellAddresses home,
        CellAddresses member,
        Optional<String> name,
        Path dataDirectory,
        Duration lease,
        Duration patience,
        LogAddress logAddress,
        long seed) {
    public static final Duration PATIENCE_DEFAULT = Duration.ofSeconds(5);

    public CellAgentOptions {
        NodeAgentOptions.checkLease(lease);
        if (patience.isNegative()) {
            throw new IllegalArgumentException("a patience is not negative: " + patience);
        }
    }

    /** The defaults. */
    public static CellAgentOptions of(CellAddresses home, CellAddresses member, Path dataDirectory, long seed) {
        return new CellAgentOptions(
                home,
                member,
                Optional.empty(),
                dataDirectory,
                NodeAgentOptions.LEASE_DEFAULT,
                PATIENCE_DEFAULT,
                LogAddress.LOOPBACK,
                seed);
    }

    public CellAgentOptions withName(String other) {
        return new CellAgentOptions(home, member, Optional.of(other), dataDirectory, lease, patience, logAddress, seed);
    }

    public CellAgentOptions withLease(Duration other) {
        return new CellAgentOptions(home, member, name, dataDirectory, other, patience, logAddress, seed);
    }

    public CellAgentOptions withPatience(Duration other) {
        return new CellAgentOptions(home, member, name, dataDirectory, lease, other, logAddress, seed);
    }

    public CellAgentOptions withLogAddress(LogAddress other) {
        return new CellAgentOptions(home, member, name, dataDirectory, lease, patience, other, seed);
    }

    /** As the parts that all agents share read them, for that machine. */
    NodeAgentOptions asNode(MachineOptions machine) {
        return NodeAgentOptions.of(home, machine, dataDirectory, seed)
                .withLease(lease)
                .withLogAddress(logAddress);
    }
}
