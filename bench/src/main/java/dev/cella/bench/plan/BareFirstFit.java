package dev.cella.bench.plan;

import java.util.SplittableRandom;

/**
 * The bound of planning: randomised first fit on two bare arrays, without a view, constraints, reasons or a transaction. Each
 * attempt places 100 tasks and takes them back. Belongs to one thread.
 */
final class BareFirstFit {
    private static final long CPU_MILLI = 500;
    private static final long MEMORY_MIB = 512;

    private final long[] cpuMilli;
    private final long[] memoryMib;
    private final int[] taken = new int[WaitingJob.TASKS];
    private final SplittableRandom random = new SplittableRandom(1);

    BareFirstFit(int machines) {
        cpuMilli = new long[machines];
        memoryMib = new long[machines];
        for (int machine = 0; machine < machines; machine++) {
            cpuMilli[machine] = 2_000 + random.nextInt(30) * 1_000L;
            memoryMib[machine] = 64_000;
        }
    }

    /** Returns the sum of the machines, so that nothing is optimised away. */
    long plan() {
        long sum = 0;
        for (int task = 0; task < taken.length; task++) {
            int machine = find(random.nextInt(cpuMilli.length));
            cpuMilli[machine] -= CPU_MILLI;
            memoryMib[machine] -= MEMORY_MIB;
            taken[task] = machine;
            sum += machine;
        }
        for (int machine : taken) {
            cpuMilli[machine] += CPU_MILLI;
            memoryMib[machine] += MEMORY_MIB;
        }
        return sum;
    }

    private int find(int from) {
        int machine = from;
        while (cpuMilli[machine] < CPU_MILLI || memoryMib[machine] < MEMORY_MIB) {
            machine = machine + 1 == cpuMilli.length ? 0 : machine + 1;
        }
        return machine;
    }
}
