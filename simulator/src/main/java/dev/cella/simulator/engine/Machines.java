package dev.cella.simulator.engine;

import dev.cella.simulator.workload.StandingJob;
import java.util.Arrays;
import java.util.Random;

/**
 * The free amounts on each machine, for architectures that need nothing more, and the algorithm of all schedulers in the
 * dissertation: randomised first fit (3.2).
 *
 * <p>"candidate = random machine in pool; if it has enough available resources, assign; else remove it from the pool." The
 * pool is a permutation of all machines, shuffled as far as it is drawn from. Removed machines are swapped to its end, so the
 * next job's pool is complete again without copying.
 *
 * <p>The run's own tasks are all equal. For them the machines with room are kept in a list, and one draw from it has the same
 * distribution as draws from the pool until one fits. In a full cell, those would look at half of all machines for each
 * task that ends.
 */
public final class Machines {
    /** Stands for no machine. */
    public static final int NONE = -1;

    private final long[] freeCpuMilli;
    private final long[] freeMemoryMib;
    private final int[] pool;
    private int poolSize;
    private final long taskCpuMilli;
    private final long taskMemoryMib;

    /** The machines with room for one of the run's tasks come first. */
    private final int[] roomy;

    private final int[] placeInRoomy;
    private int roomyCount;

    public Machines(Geometry geometry) {
        freeCpuMilli = new long[geometry.machines()];
        freeMemoryMib = new long[geometry.machines()];
        pool = new int[geometry.machines()];
        Arrays.fill(freeCpuMilli, geometry.machineCpuMilli());
        Arrays.fill(freeMemoryMib, geometry.machineMemoryMib());
        Arrays.setAll(pool, machine -> machine);
        taskCpuMilli = geometry.taskCpuMilli();
        taskMemoryMib = geometry.taskMemoryMib();
        roomy = pool.clone();
        placeInRoomy = pool.clone();
        roomyCount = pool.length;
    }

    /** Makes all machines available for drawing again. */
    public void refillPool() {
        poolSize = pool.length;
    }

    /** A random machine of the pool that has room, or {@link #NONE} once the pool is empty. */
    public int draw(long cpuMilli, long memoryMib, Random random) {
        while (poolSize > 0) {
            int place = random.nextInt(poolSize);
            int candidate = pool[place];
            if (freeCpuMilli[candidate] >= cpuMilli && freeMemoryMib[candidate] >= memoryMib) {
                return candidate;
            }
            pool[place] = pool[--poolSize];
            pool[poolSize] = candidate;
        }
        return NONE;
    }

    /** A random machine of all that have room for one of the run's tasks, or {@link #NONE}. */
    public int drawForTask(Random random) {
        return roomyCount == 0 ? NONE : roomy[random.nextInt(roomyCount)];
    }

    /**
     * Places a standing job, each task on a random machine that it fits, and returns the machines. Tasks without room are left
     * out.
     */
    public int[] place(StandingJob job, Random random) {
        int[] places = new int[job.tasks()];
        refillPool();
        for (int task = 0; task < places.length; task++) {
            int machine = draw(job.cpuMilli(), job.memoryMib(), random);
            if (machine == NONE) {
                return Arrays.copyOf(places, task);
            }
            take(machine, job.cpuMilli(), job.memoryMib());
            places[task] = machine;
        }
        return places;
    }

    public void take(int machine, long cpuMilli, long memoryMib) {
        freeCpuMilli[machine] -= cpuMilli;
        freeMemoryMib[machine] -= memoryMib;
        noteRoom(machine);
    }

    public void giveBack(int machine, long cpuMilli, long memoryMib) {
        freeCpuMilli[machine] += cpuMilli;
        freeMemoryMib[machine] += memoryMib;
        noteRoom(machine);
    }

    /** Moves the machine over the border between those with room and the others, if it is on the wrong side. */
    private void noteRoom(int machine) {
        boolean hasRoom = freeCpuMilli[machine] >= taskCpuMilli && freeMemoryMib[machine] >= taskMemoryMib;
        boolean hadRoom = placeInRoomy[machine] < roomyCount;
        if (hasRoom && !hadRoom) {
            swap(placeInRoomy[machine], roomyCount++);
        } else if (!hasRoom && hadRoom) {
            swap(placeInRoomy[machine], --roomyCount);
        }
    }

    private void swap(int place, int other) {
        int machine = roomy[place];
        roomy[place] = roomy[other];
        roomy[other] = machine;
        placeInRoomy[roomy[place]] = place;
        placeInRoomy[roomy[other]] = other;
    }
}
