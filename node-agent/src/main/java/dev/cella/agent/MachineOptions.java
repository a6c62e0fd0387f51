package dev.cella.agent;

import dev.cella.agent.keeper.OwnFiles;
import dev.cella.agent.machine.Devices;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.agent.machine.MachineFacts;
import dev.cella.agent.machine.WorkDisk;
import dev.cella.agent.runner.WorkFolders;
import dev.cella.client.job.PortNames;
import dev.cella.transactions.model.MemberSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A machine of an agent.
 *
 * @param capacity by the names of dimensions
 * @param members for each set dimension all its members: "20000-31999" for ports
 * @param devices the files of those members that are devices
 */
public record MachineOptions(
        String name,
        MachineKind kind,
        Map<String, Long> capacity,
        Map<String, String> attributes,
        Map<String, String> members,
        Devices devices) {
    /** The default ports of a machine: below those that the kernel gives to clients. */
    public static final String PORTS_DEFAULT = "20000-31999";

    /** A machine without sets. */
    public MachineOptions(String name, MachineKind kind, Map<String, Long> capacity, Map<String, String> attributes) {
        this(name, kind, capacity, attributes, Map.of(), Devices.none());
    }

    /** A real machine's tasks are processes; a hollow machine's only pretend to run; those of a cell are jobs of that cell. */
    public enum MachineKind {
        REAL,
        HOLLOW,
        CELL;

        /** Returns whether its tasks outlive its agent, so that the next agent goes on with its registration. */
        boolean keepsTasks() {
            return this != HOLLOW;
        }
    }

    public MachineOptions {
        capacity = Map.copyOf(capacity);
        attributes = Map.copyOf(attributes);
        members = Map.copyOf(members);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a machine has a name");
        }
    }

    /** The machine that this process runs on, with the capacity that it can offer. */
    public static MachineOptions thisMachine(String name, Path dataDirectory) throws IOException {
        MachineFacts facts = MachineFacts.read();
        OwnFiles.createDirectories(dataDirectory);
        WorkDisk disk = WorkDisk.read(WorkFolders.root(dataDirectory), dataDirectory.resolve("attempts"));
        MachineCapacity offered = MachineCapacity.offered(facts, disk);
        return new MachineOptions(
                        name,
                        MachineKind.REAL,
                        offered.amounts(),
                        facts.attributes(),
                        Devices.FOUND.members(Path.of("/")),
                        Devices.FOUND)
                .withMembers(Map.of(PortNames.DIMENSION, PORTS_DEFAULT));
    }

    /**
     * The same machine with other members of its sets: numbers, such as "20000-31999", or the paths of devices, such as
     * "/dev/fpga0-3".
     */
    public MachineOptions withMembers(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(members);
        Devices known = devices;
        for (Map.Entry<String, String> each : more.entrySet()) {
            String written = each.getValue();
            if (Devices.arePaths(written)) {
                known = known.with(each.getKey(), written);
                all.put(each.getKey(), Devices.numbersIn(written));
            } else {
                all.put(each.getKey(), MemberSet.parse(written).toString());
            }
        }
        return new MachineOptions(name, kind, capacity, attributes, all, known);
    }

    MachineOptions withCapacity(Map<String, Long> other) {
        return new MachineOptions(name, kind, other, attributes, members, devices);
    }

    /** The same machine with more attributes; for a repeated name the later value wins. */
    public MachineOptions withAttributes(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(attributes);
        all.putAll(more);
        return new MachineOptions(name, kind, capacity, all, members, devices);
    }

    /** A whole cell. */
    static MachineOptions cell(String name, Map<String, Long> capacity) {
        return new MachineOptions(name, MachineKind.CELL, capacity, Map.of());
    }

    /** A machine without processes. */
    public static MachineOptions hollow(String name, MachineCapacity capacity) {
        return new MachineOptions(name, MachineKind.HOLLOW, capacity.amounts(), Map.of("hollow", "true"));
    }
}
