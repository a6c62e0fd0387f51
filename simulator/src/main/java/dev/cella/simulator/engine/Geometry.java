package dev.cella.simulator.engine;

/**
 * Machines and tasks: all machines are equal and all tasks are equal, as in the dissertation (3.2). The rate of conflicts
 * depends on it, so it is printed with every result.
 *
 * @param prefill the fraction of the cell's cores that everlasting tasks hold before the first job arrives
 */
public record Geometry(
        int machines,
        long machineCpuMilli,
        long machineMemoryMib,
        long taskCpuMilli,
        long taskMemoryMib,
        double prefill) {
    public static final int MACHINES_MAX = 1_000_000;

    /** The dissertation's task on our machine of 4 cores. */
    public static Geometry ofMachines(int machines) {
        return new Geometry(machines, 4000, 16_384, 1100, 1536, 0.6);
    }

    public Geometry {
        if (machines < 1 || machines > MACHINES_MAX) {
            throw impossible("a cell has 1 to " + MACHINES_MAX + " machines, not " + machines, "--machines 10000");
        }
        if (machineCpuMilli < 1 || machineMemoryMib < 1) {
            throw impossible("a machine without cores or memory holds no task", "--machine-cores 4");
        }
        if (taskCpuMilli < 1 || taskMemoryMib < 0) {
            throw impossible("a task asks for a part of a core", "--task-cores 1.1");
        }
        if (!(prefill >= 0 && prefill < 1)) {
            throw impossible("the cell is prefilled from 0 to just below 1, not " + prefill, "--prefill 0.6");
        }
        if (taskCpuMilli > machineCpuMilli) {
            throw impossible(
                    "a task of " + taskCpuMilli + " cpuMilli is larger than every machine (" + machineCpuMilli + ")",
                    "a smaller --task-cores, or a larger --machine-cores");
        }
        if (taskMemoryMib > machineMemoryMib) {
            throw impossible(
                    "a task of " + taskMemoryMib + " memoryMib is larger than every machine (" + machineMemoryMib + ")",
                    "a smaller --task-memory-gib, or a larger --machine-memory-gib");
        }
        double fullest = (double) tasksPerMachine(machineCpuMilli, machineMemoryMib, taskCpuMilli, taskMemoryMib)
                * taskCpuMilli
                / machineCpuMilli;
        if (prefill > fullest) {
            throw impossible(
                    "tasks of this size fill at most " + fullest + " of the machines' cores, so not " + prefill,
                    "a smaller --prefill");
        }
    }

    private static ImpossibleParameterException impossible(String message, String hint) {
        return new ImpossibleParameterException(message, hint);
    }

    private static long tasksPerMachine(long cpuMilli, long memoryMib, long taskCpuMilli, long taskMemoryMib) {
        long byCpu = cpuMilli / taskCpuMilli;
        return taskMemoryMib == 0 ? byCpu : Math.min(byCpu, memoryMib / taskMemoryMib);
    }

    public long cpuMilli() {
        return machines * machineCpuMilli;
    }

    /** How many tasks the machines hold together when they hold nothing else. */
    public long slots() {
        return machines * tasksPerMachine(machineCpuMilli, machineMemoryMib, taskCpuMilli, taskMemoryMib);
    }

    /** The number of tasks that hold the prefilled fraction of the cores. */
    public long prefillTasks() {
        return (long) Math.ceil(prefill * cpuMilli() / taskCpuMilli);
    }

    public Geometry withMachines(int count) {
        return new Geometry(count, machineCpuMilli, machineMemoryMib, taskCpuMilli, taskMemoryMib, prefill);
    }
}
