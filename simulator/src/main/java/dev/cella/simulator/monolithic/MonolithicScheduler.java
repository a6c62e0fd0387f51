package dev.cella.simulator.monolithic;

import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.Machines;
import dev.cella.simulator.engine.OpenJob;
import dev.cella.simulator.engine.RetryOrder;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerStats;
import dev.cella.simulator.engine.UtilisationMeter;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The one scheduling agent of Monolithic State Scheduling (3.1, figure 3.2): jobs wait in one queue until it has placed
 * those before them, one after another, on the only copy of the cell state. There is nobody to conflict with.
 *
 * <p>It thinks for the job's decision time and then places what fits by randomised first fit (3.2). A job that was not
 * placed whole goes behind those that wait (6.2.1, step 6), or keeps the head of the queue until something ends: strict
 * first come, first served.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class MonolithicScheduler {
    private static final String NAME = "monolithic";
    private static final int PREFILL_STREAM = 0;
    private static final int PLACEMENT_STREAM = 3;
    private static final int SEED_FACTOR = 31;

    private final RunParameters parameters;
    private final Geometry geometry;
    private final EventHeap heap;
    private final Machines machines;
    private final UtilisationMeter utilisation;
    private final Random random;
    private final SchedulerStats batchStats = new SchedulerStats(NAME, Workload.BATCH);
    private final SchedulerStats serviceStats = new SchedulerStats(NAME, Workload.SERVICE);
    private final ArrayDeque<OpenJob> queue = new ArrayDeque<>();
    private boolean thinking;
    private boolean awaitsRoom;

    MonolithicScheduler(RunParameters parameters, EventHeap heap) {
        this.parameters = parameters;
        this.geometry = parameters.geometry();
        this.heap = heap;
        this.machines = new Machines(geometry);
        this.utilisation = new UtilisationMeter(geometry.cpuMilli());
        this.random = new Random(parameters.seed() * SEED_FACTOR + PLACEMENT_STREAM);
    }

    /** Places what stands in the cell before the first job arrives. */
    void prefill(Iterable<StandingJob> standing) {
        Random drawn = new Random(parameters.seed() * SEED_FACTOR + PREFILL_STREAM);
        for (StandingJob job : standing) {
            machines.refillPool();
            for (int task = 0; task < job.tasks(); task++) {
                int machine = machines.draw(job.cpuMilli(), job.memoryMib(), drawn);
                if (machine != Machines.NONE) {
                    prefill(job, machine);
                }
            }
        }
    }

    private void prefill(StandingJob job, int machine) {
        take(machine, job.cpuMilli(), job.memoryMib());
        if (!job.isEverlasting()) {
            heap.at(job.endNanos(), () -> {
                end(machine, job.cpuMilli(), job.memoryMib());
                roomAppeared();
            });
        }
    }

    void submit(SimulatedJob job) {
        stats(job).submitted();
        queue.add(new OpenJob(job));
        thinkAboutNext();
    }

    private void thinkAboutNext() {
        OpenJob next = queue.peek();
        if (next == null || thinking || awaitsRoom) {
            return;
        }
        thinking = true;
        SimulatedJob job = next.job();
        stats(job).attemptBegins(job, next.attempt(), heap.nowNanos());
        long thinkingNanos = parameters.decisionTime(job.workload()).nanos(next.tasksLeft());
        heap.at(heap.nowNanos() + thinkingNanos, this::decide);
    }

    /** The head of the queue has been thought about: its tasks are placed. */
    private void decide() {
        thinking = false;
        OpenJob open = queue.remove();
        int accepted = place(open);
        open.placed(accepted);
        stats(open.job()).attemptEnds(accepted, 0, heap.nowNanos());
        if (open.isWhole()) {
            stats(open.job()).fullyScheduled(open.job(), heap.nowNanos());
        } else {
            retry(open);
        }
        thinkAboutNext();
    }

    private void retry(OpenJob open) {
        if (parameters.retryOrder() == RetryOrder.KEEPS_PLACE) {
            queue.addFirst(open);
            awaitsRoom = true;
        } else if (open.isHopeless(parameters.limits())) {
            stats(open.job()).abandoned();
        } else {
            queue.addLast(open);
        }
    }

    /** Places as many tasks as fit, and says how many did. */
    private int place(OpenJob open) {
        int[] places = new int[open.tasksLeft()];
        int placed = 0;
        machines.refillPool();
        while (placed < places.length) {
            int machine = machines.draw(geometry.taskCpuMilli(), geometry.taskMemoryMib(), random);
            if (machine == Machines.NONE) {
                break;
            }
            take(machine, geometry.taskCpuMilli(), geometry.taskMemoryMib());
            places[placed++] = machine;
        }
        scheduleEnds(open, Arrays.copyOf(places, placed));
        return placed;
    }

    /** Tasks that run equally long end together, in one event. */
    private void scheduleEnds(OpenJob open, int[] places) {
        SimulatedJob.TaskTimes times = open.job().times();
        if (times instanceof SimulatedJob.Equal equal) {
            heap.at(heap.nowNanos() + equal.nanos(), () -> endTasks(places));
            return;
        }
        for (int i = 0; i < places.length; i++) {
            int[] place = {places[i]};
            heap.at(heap.nowNanos() + times.nanos(open.placed() + i), () -> endTasks(place));
        }
    }

    private void endTasks(int[] places) {
        for (int machine : places) {
            end(machine, geometry.taskCpuMilli(), geometry.taskMemoryMib());
        }
        roomAppeared();
    }

    private void roomAppeared() {
        awaitsRoom = false;
        thinkAboutNext();
    }

    private void take(int machine, long cpuMilli, long memoryMib) {
        machines.take(machine, cpuMilli, memoryMib);
        utilisation.add(cpuMilli, heap.nowNanos());
    }

    private void end(int machine, long cpuMilli, long memoryMib) {
        machines.giveBack(machine, cpuMilli, memoryMib);
        utilisation.add(-cpuMilli, heap.nowNanos());
    }

    private SchedulerStats stats(SimulatedJob job) {
        return switch (job.workload()) {
            case BATCH -> batchStats;
            case SERVICE -> serviceStats;
        };
    }

    RunResult result() {
        long now = heap.nowNanos();
        return new RunResult(
                List.of(batchStats.row(now), serviceStats.row(now)),
                utilisation.mean(now),
                batchStats.claimsAccepted() + serviceStats.claimsAccepted());
    }
}
