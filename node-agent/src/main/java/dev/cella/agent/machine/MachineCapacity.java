package dev.cella.agent.machine;

import java.util.Map;

/**
 * What a machine offers to the cell: all its cores, and its memory less what the system and the agent need, the larger of
 * one gibibyte and a quarter. Within a container, the container's limits are the machine.
 */
public record MachineCapacity(long cpuMilli, long memoryMib) {
    private static final long MEMORY_KEPT_MIB_MIN = 1_024;
    private static final long MEMORY_KEPT_PART = 4;

    public MachineCapacity {
        if (cpuMilli < 0 || memoryMib < 0) {
            throw new IllegalArgumentException("a capacity of " + cpuMilli + " cpuMilli, " + memoryMib + " memoryMib");
        }
    }

    /** What is offered of a machine of which this is known. */
    public static MachineCapacity offered(MachineFacts facts) {
        long memoryKeptMib = Math.max(MEMORY_KEPT_MIB_MIN, facts.memoryMib() / MEMORY_KEPT_PART);
        return new MachineCapacity(facts.cpuMilli(), Math.max(0, facts.memoryMib() - memoryKeptMib));
    }

    /** The amounts by the names of their dimensions. */
    public Map<String, Long> amounts() {
        return Map.of("cpuMilli", cpuMilli, "memoryMib", memoryMib);
    }
}
