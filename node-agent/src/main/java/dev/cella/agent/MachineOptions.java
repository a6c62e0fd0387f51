package dev.cella.agent;

import dev.cella.agent.keeper.OwnFiles;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.agent.machine.MachineFacts;
import dev.cella.client.job.PortNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A machine that an agent speaks for.
 *
 * @param capacity by the names of dimensions
 * @param members of each dimension that is a set all that it has: "20000-31999" of ports
 */
public record MachineOptions(
        String name,
        MachineKind kind,
        Map<String, Long> capacity,
        Map<String, String> attributes,
        Map<String, String> members) {
    /** The ports that a machine offers, if nobody says which: below those that the kernel gives to clients. */
    public static final String PORTS_DEFAULT = "20000-31999";

    /** One without sets. */
    public MachineOptions(String name, MachineKind kind, Map<String, Long> capacity, Map<String, String> attributes) {
        this(name, kind, capacity, attributes, Map.of());
    }

    /** Whether a machine's tasks are processes. */
    public enum MachineKind {
        REAL,
        HOLLOW
    }

    public MachineOptions {
        capacity = Map.copyOf(capacity);
        attributes = Map.copyOf(attributes);
        members = Map.copyOf(members);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a machine has a name");
        }
    }

    /** The machine that this process runs on, offering what it can; tasks work in the data directory. */
    public static MachineOptions thisMachine(String name, Path dataDirectory) throws IOException {
        MachineFacts facts = MachineFacts.read();
        MachineCapacity offered = MachineCapacity.offered(facts, diskFreeMib(dataDirectory));
        return new MachineOptions(
                name,
                MachineKind.REAL,
                offered.amounts(),
                facts.attributes(),
                Map.of(PortNames.DIMENSION, PORTS_DEFAULT));
    }

    /** The same machine with other members of its sets: ports, devices. */
    public MachineOptions withMembers(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(members);
        all.putAll(more);
        return new MachineOptions(name, kind, capacity, attributes, all);
    }

    private static long diskFreeMib(Path dataDirectory) throws IOException {
        OwnFiles.createDirectories(dataDirectory);
        return Files.getFileStore(dataDirectory).getUsableSpace() >> 20;
    }

    /** The same machine with further attributes; a name that is given again has the later value. */
    public MachineOptions withAttributes(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(attributes);
        all.putAll(more);
        return new MachineOptions(name, kind, capacity, all, members);
    }

    /** A machine in name only. */
    public static MachineOptions hollow(String name, MachineCapacity capacity) {
        return new MachineOptions(name, MachineKind.HOLLOW, capacity.amounts(), Map.of("hollow", "true"));
    }
}
