package dev.cella.agent;

import dev.cella.agent.machine.MachineCapacity;
import dev.cella.agent.machine.MachineFacts;
import java.util.Map;

/**
 * A machine that an agent speaks for.
 *
 * @param capacity by the names of dimensions
 */
public record MachineOptions(
        String name, MachineKind kind, Map<String, Long> capacity, Map<String, String> attributes) {
    /** Whether a machine's tasks are processes. */
    public enum MachineKind {
        REAL,
        HOLLOW
    }

    public MachineOptions {
        capacity = Map.copyOf(capacity);
        attributes = Map.copyOf(attributes);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a machine has a name");
        }
    }

    /** The machine that this process runs on, offering what it can. */
    public static MachineOptions thisMachine(String name) {
        MachineFacts facts = MachineFacts.read();
        return new MachineOptions(
                name, MachineKind.REAL, MachineCapacity.offered(facts).amounts(), facts.attributes());
    }

    /** A machine in name only. */
    public static MachineOptions hollow(String name, MachineCapacity capacity) {
        return new MachineOptions(name, MachineKind.HOLLOW, capacity.amounts(), Map.of("hollow", "true"));
    }
}
