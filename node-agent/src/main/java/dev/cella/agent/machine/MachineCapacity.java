package dev.cella.agent.machine;

import java.util.Map;

/**
 * The capacity that a machine offers to the cell: all its cores, and its memory less a reserve for the system and the agent
 * (one gibibyte or a quarter, the larger). In a container, the container's limits are the machine.
 */
public record MachineCapacity(long cpuMilli, long memoryMib, long diskMib) {
    private static final long MEMORY_KEPT_MIB_MIN = 1_024;
    private static final long MEMORY_KEPT_PART = 4;

    /** Reserved for tasks' output, and for servers that may share the disk. */
    private static final long DISK_KEPT_MIB = 2_048;

    public MachineCapacity {
        if (cpuMilli < 0 || memoryMib < 0 || diskMib < 0) {
            throw new IllegalArgumentException(
                    "a capacity of " + cpuMilli + " cpuMilli, " + memoryMib + " memoryMib, " + diskMib + " diskMib");
        }
    }

    /** The offered part of a machine. */
    public static MachineCapacity offered(MachineFacts facts, WorkDisk disk) {
        long memoryKeptMib = Math.max(MEMORY_KEPT_MIB_MIN, facts.memoryMib() / MEMORY_KEPT_PART);
        return new MachineCapacity(
                facts.cpuMilli(),
                Math.max(0, facts.memoryMib() - memoryKeptMib),
                Math.max(0, disk.freeMib() - DISK_KEPT_MIB));
    }

    /** The amounts by the names of their dimensions. */
    public Map<String, Long> amounts() {
        return diskMib == 0
                ? Map.of("cpuMilli", cpuMilli, "memoryMib", memoryMib)
                : Map.of("cpuMilli", cpuMilli, "memoryMib", memoryMib, "diskMib", diskMib);
    }
}
