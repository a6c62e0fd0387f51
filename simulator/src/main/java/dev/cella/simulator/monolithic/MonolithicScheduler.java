package dev.cella.simulator.monolithic;

import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.JobMeter;
import dev.cella.simulator.engine.Machines;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerStats;
import dev.cella.simulator.engine.UnplacedJob;
import dev.cella.simulator.engine.UtilisationMeter;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The one scheduling agent of Monolithic State Scheduling (3.1, figure 3.2): jobs wait in one queue until it has placed those
 * before them, one after another, on the only copy of the cell state. There are no conflicts.
 *
 * <p>It thinks for the job's decision time and then places what fits by randomised first fit (3.2). A job that was not placed
 * completely goes behind those that wait (6.2.1, step 6), or keeps the head of the queue until something ends: strict first
 * come, first served.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class MonolithicScheduler {
    private static final String NAME = "monolithic";

    private final RunParameters parameters;
    private final Geometry geometry;
    private final EventHeap heap;
    private final Machines machines;
    private final UtilisationMeter utilisation;
    private final Random random;
    private final SchedulerStats batchStats = new SchedulerStats(NAME, NAME, Workload.BATCH);
    private final SchedulerStats serviceStats = new SchedulerStats(NAME, NAME, Workload.SERVICE);
    private final ArrayDeque<UnplacedJob> queue = new ArrayDeque<>();
    private final JobMeter jobs = new JobMeter();
    private boolean thinking;
    private boolean awaitsRoom;

    MonolithicScheduler(RunParameters parameters, EventHeap heap) {
        this.parameters = parameters;
        this.geometry = parameters.geometry();
        this.heap = heap;
        this.machines = new Machines(geometry);
        this.utilisation = new UtilisationMeter(geometry.cpuMilli());
        this.random = RandomStream.PLACEMENT.of(parameters.seed());
    }

    /** Places the jobs that stand in the cell before the first job arrives. */
    void prefill(List<StandingJob> standing) {
        Random drawn = RandomStream.PREFILL.of(parameters.seed());
        for (StandingJob job : standing) {
            int[] places = machines.place(job, drawn);
            utilisation.add(job.cpuMilli() * places.length, heap.nowNanos());
            if (!job.isEverlasting()) {
                heap.at(job.endNanos(), () -> endTasks(places, job.cpuMilli(), job.memoryMib()));
            }
        }
    }

    void submit(SimulatedJob job) {
        stats(job).submitted();
        queue.add(new UnplacedJob(job));
        thinkAboutNext();
    }

    private void thinkAboutNext() {
        UnplacedJob next = queue.peek();
        if (next == null || thinking || awaitsRoom) {
            return;
        }
        thinking = true;
        SimulatedJob job = next.job();
        stats(job).attemptBegins(job, next.attempt(), heap.nowNanos());
        long thinkingNanos = parameters.setUp(job.workload()).decisionTime().nanos(next.tasksLeft());
        heap.at(heap.nowNanos() + thinkingNanos, this::decide);
    }

    /** The decision about the head of the queue is over: its tasks are placed. */
    private void decide() {
        thinking = false;
        UnplacedJob open = queue.remove();
        int accepted = place(open);
        open.placed(accepted);
        stats(open.job()).transactionDecided(accepted, 0);
        stats(open.job()).attemptEnds(accepted == 0, heap.nowNanos());
        if (open.isWhole()) {
            stats(open.job()).fullyScheduled(open.job(), heap.nowNanos());
            jobs.placed(open.job(), heap.nowNanos());
        } else {
            retry(open);
        }
        thinkAboutNext();
    }

    private void retry(UnplacedJob open) {
        if (parameters.retryOrder() == RetryOrder.KEEPS_PLACE) {
            queue.addFirst(open);
            awaitsRoom = true;
        } else if (open.isHopeless(parameters.retry().limits())) {
            stats(open.job()).abandoned();
        } else {
            queue.addLast(open);
        }
    }

    /** Places as many tasks as fit, and returns how many. */
    private int place(UnplacedJob open) {
        int[] places = new int[open.tasksLeft()];
        int placed = 0;
        while (placed < places.length) {
            int machine = machines.drawForTask(random);
            if (machine == Machines.NONE) {
                break;
            }
            machines.take(machine, geometry.taskCpuMilli(), geometry.taskMemoryMib());
            places[placed++] = machine;
        }
        utilisation.add(geometry.taskCpuMilli() * placed, heap.nowNanos());
        scheduleEnds(open, Arrays.copyOf(places, placed));
        return placed;
    }

    /** Tasks with equal run times end together, in one event. The end of no task would be an event that frees nothing. */
    private void scheduleEnds(UnplacedJob open, int[] places) {
        if (places.length == 0) {
            return;
        }
        SimulatedJob.TaskTimes times = open.job().times();
        if (times instanceof SimulatedJob.Equal equal) {
            heap.at(heap.nowNanos() + equal.nanos(), () -> end(open, places));
            return;
        }
        for (int i = 0; i < places.length; i++) {
            int[] place = {places[i]};
            heap.at(heap.nowNanos() + times.nanos(open.placed() + i), () -> end(open, place));
        }
    }

    private void end(UnplacedJob open, int[] places) {
        if (open.end(places.length)) {
            jobs.ended(open.job(), heap.nowNanos());
        }
        endTasks(places, geometry.taskCpuMilli(), geometry.taskMemoryMib());
    }

    private void endTasks(int[] places, long cpuMilli, long memoryMib) {
        for (int machine : places) {
            machines.giveBack(machine, cpuMilli, memoryMib);
        }
        utilisation.add(-cpuMilli * places.length, heap.nowNanos());
        awaitsRoom = false;
        thinkAboutNext();
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
                batchStats.claimsAccepted() + serviceStats.claimsAccepted(),
                jobs.stats());
    }
}
