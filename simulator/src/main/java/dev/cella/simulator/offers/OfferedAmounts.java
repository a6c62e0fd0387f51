package dev.cella.simulator.offers;

import dev.cella.simulator.engine.Geometry;
import dev.cella.transactions.model.Amounts;
import java.util.Arrays;
import java.util.Random;

/**
 * Amounts on some machines: an offer, or all that is available. Its cost is proportional to the machines that it has, so an
 * offer of the whole cell changes hands without a copy. Owned by the thread that runs the simulation.
 */
final class OfferedAmounts {
    /** Stands for no machine. */
    static final int NONE = -1;

    private static final int NO_MEMBER = -1;

    private final long[] cpuMilli;
    private final long[] memoryMib;
    private final int[] members;
    private final int[] places;
    private int size;
    private int poolSize;
    private long cpuMilliSum;
    private long memoryMibSum;

    /** Creates empty amounts for a cell of {@code machines} machines. */
    OfferedAmounts(int machines) {
        cpuMilli = new long[machines];
        memoryMib = new long[machines];
        members = new int[machines];
        places = new int[machines];
        Arrays.fill(places, NO_MEMBER);
    }

    /** All machines, empty. */
    static OfferedAmounts whole(Geometry geometry) {
        OfferedAmounts whole = new OfferedAmounts(geometry.machines());
        for (int machine = 0; machine < geometry.machines(); machine++) {
            whole.add(machine, geometry.machineCpuMilli(), geometry.machineMemoryMib());
        }
        return whole;
    }

    boolean isEmpty() {
        return cpuMilliSum == 0 || memoryMibSum == 0;
    }

    Amounts sums() {
        return Amounts.of(cpuMilliSum, memoryMibSum);
    }

    int machines() {
        return size;
    }

    void add(int machine, long cpu, long memory) {
        if (places[machine] == NO_MEMBER) {
            places[machine] = size;
            members[size++] = machine;
        }
        change(machine, cpu, memory);
    }

    void take(int machine, long cpu, long memory) {
        change(machine, -cpu, -memory);
    }

    private void change(int machine, long cpu, long memory) {
        cpuMilli[machine] += cpu;
        memoryMib[machine] += memory;
        cpuMilliSum += cpu;
        memoryMibSum += memory;
    }

    /** Takes all that the other has. The other is empty then. */
    void takeAll(OfferedAmounts other) {
        for (int place = 0; place < other.size; place++) {
            int machine = other.members[place];
            if (other.cpuMilli[machine] > 0 || other.memoryMib[machine] > 0) {
                add(machine, other.cpuMilli[machine], other.memoryMib[machine]);
            }
            other.cpuMilli[machine] = 0;
            other.memoryMib[machine] = 0;
            other.places[machine] = NO_MEMBER;
        }
        other.size = 0;
        other.cpuMilliSum = 0;
        other.memoryMibSum = 0;
    }

    /** Makes all its machines available for drawing again. */
    void refillPool() {
        poolSize = size;
    }

    /** Randomised first fit (3.2): a random machine of the pool that has room, or {@link #NONE} once the pool is empty. */
    int draw(long cpu, long memory, Random random) {
        while (poolSize > 0) {
            int place = random.nextInt(poolSize);
            int candidate = members[place];
            if (cpuMilli[candidate] >= cpu && memoryMib[candidate] >= memory) {
                return candidate;
            }
            poolSize--;
            put(members[poolSize], place);
            put(candidate, poolSize);
        }
        return NONE;
    }

    private void put(int machine, int place) {
        members[place] = machine;
        places[machine] = place;
    }
}
