package dev.cella.simulator.queues;

import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.Machines;
import dev.cella.simulator.engine.RunMeter;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.StandingJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * Machines with a queue each, which starts its entries in their order.
 *
 * @param <E> what waits in the queues
 */
final class QueueMachines<E> {
    private final Geometry geometry;
    private final long[] freeCpuMilli;
    private final long[] freeMemoryMib;
    private final List<Deque<E>> queues = new ArrayList<>();

    QueueMachines(Geometry geometry) {
        this.geometry = geometry;
        this.freeCpuMilli = new long[geometry.machines()];
        this.freeMemoryMib = new long[geometry.machines()];
        Arrays.fill(freeCpuMilli, geometry.machineCpuMilli());
        Arrays.fill(freeMemoryMib, geometry.machineMemoryMib());
        for (int machine = 0; machine < geometry.machines(); machine++) {
            queues.add(new ArrayDeque<>(1));
        }
    }

    /** Places the jobs that stand in the cell before the first job arrives. */
    void prefill(List<StandingJob> standing, RunParameters run, EventHeap heap, RunMeter meter, IntConsumer freed) {
        Machines machines = new Machines(geometry);
        Random random = RandomStream.PREFILL.of(run.seed());
        for (StandingJob job : standing) {
            int[] places = machines.place(job, random);
            move(places, -job.cpuMilli(), -job.memoryMib());
            meter.standing(job.cpuMilli() * places.length);
            if (!job.isEverlasting()) {
                heap.at(job.endNanos(), () -> {
                    move(places, job.cpuMilli(), job.memoryMib());
                    meter.standing(-job.cpuMilli() * places.length);
                    Arrays.stream(places).forEach(freed);
                });
            }
        }
    }

    private void move(int[] places, long cpuMilli, long memoryMib) {
        for (int machine : places) {
            freeCpuMilli[machine] += cpuMilli;
            freeMemoryMib[machine] += memoryMib;
        }
    }

    int count() {
        return queues.size();
    }

    Deque<E> queue(int machine) {
        return queues.get(machine);
    }

    boolean hasRoom(int machine) {
        return freeCpuMilli[machine] >= geometry.taskCpuMilli() && freeMemoryMib[machine] >= geometry.taskMemoryMib();
    }

    /** Room for one task is taken. */
    void take(int machine) {
        freeCpuMilli[machine] -= geometry.taskCpuMilli();
        freeMemoryMib[machine] -= geometry.taskMemoryMib();
    }

    void giveBack(int machine) {
        freeCpuMilli[machine] += geometry.taskCpuMilli();
        freeMemoryMib[machine] += geometry.taskMemoryMib();
    }

    long freeCpuMilli(int machine) {
        return freeCpuMilli[machine];
    }

    long freeMemoryMib(int machine) {
        return freeMemoryMib[machine];
    }
}
