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
import java.util.stream.IntStream;

/**
 * Machines with a queue each, which starts its entries in their order.
 *
 * @param <E> what waits in the queues
 */
final class QueueMachines<E> {
    /** A standing job, and the machine of each of its tasks. */
    private static final class Held {
        final StandingJob job;
        final int[] places;

        Held(StandingJob job, int[] places) {
            this.job = job;
            this.places = places;
        }
    }

    private final Geometry geometry;
    private final long[] freeCpuMilli;
    private final long[] freeMemoryMib;
    private final List<Deque<E>> queues = new ArrayList<>();

    /** The machines that have room for a task once the standing tasks have ended that end. */
    private int[] usable;

    QueueMachines(Geometry geometry) {
        this.geometry = geometry;
        this.freeCpuMilli = new long[geometry.machines()];
        this.freeMemoryMib = new long[geometry.machines()];
        Arrays.fill(freeCpuMilli, geometry.machineCpuMilli());
        Arrays.fill(freeMemoryMib, geometry.machineMemoryMib());
        for (int machine = 0; machine < geometry.machines(); machine++) {
            queues.add(new ArrayDeque<>(1));
        }
        this.usable = withRoom();
    }

    /** Places the jobs that stand in the cell before the first job arrives. */
    void prefill(List<StandingJob> standing, RunParameters run, EventHeap heap, RunMeter meter, IntConsumer freed) {
        Machines machines = new Machines(geometry);
        Random random = RandomStream.PREFILL.of(run.seed());
        List<Held> held = standing.stream()
                .map(job -> new Held(job, machines.place(job, random)))
                .toList();
        held.stream().filter(each -> each.job.isEverlasting()).forEach(each -> hold(each, meter));
        usable = withRoom();
        held.stream().filter(each -> !each.job.isEverlasting()).forEach(each -> {
            hold(each, meter);
            heap.at(each.job.endNanos(), () -> {
                move(each.places, each.job.cpuMilli(), each.job.memoryMib());
                meter.standing(-each.job.cpuMilli() * each.places.length);
                Arrays.stream(each.places).forEach(freed);
            });
        });
    }

    private void hold(Held held, RunMeter meter) {
        move(held.places, -held.job.cpuMilli(), -held.job.memoryMib());
        meter.standing(held.job.cpuMilli() * held.places.length);
    }

    private int[] withRoom() {
        return IntStream.range(0, count()).filter(this::hasRoom).toArray();
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

    /** The machines that can ever hold a task: standing tasks without an end leave no room on the others. */
    int[] usable() {
        return usable.clone();
    }

    /** For how many more tasks the machine has room. */
    long room(int machine) {
        long byCpu = freeCpuMilli[machine] / geometry.taskCpuMilli();
        return geometry.taskMemoryMib() == 0
                ? byCpu
                : Math.min(byCpu, freeMemoryMib[machine] / geometry.taskMemoryMib());
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
