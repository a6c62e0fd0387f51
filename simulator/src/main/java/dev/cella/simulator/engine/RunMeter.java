package dev.cella.simulator.engine;

import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Workload;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the decentral architectures measure, whose tasks begin one by one and at machines. Owned by the thread that runs the
 * simulation.
 */
public final class RunMeter {
    private final Geometry geometry;
    private final EventHeap heap;
    private final int deciders;
    private final long endNanos;
    private final Map<Workload, SchedulerStats> stats = new EnumMap<>(Workload.class);
    private final JobMeter jobs = new JobMeter();
    private final Waits queueWaits = new Waits();
    private final UtilisationMeter utilisation;
    private final SortedMap<String, Long> events = new TreeMap<>();

    /** @param deciders how many schedulers the busy fraction is the mean of; 1 if it is their sum */
    public RunMeter(String architecture, int deciders, RunParameters parameters, EventHeap heap) {
        this.geometry = parameters.geometry();
        this.heap = heap;
        this.deciders = deciders;
        this.endNanos = parameters.endNanos();
        this.utilisation = new UtilisationMeter(geometry.cpuMilli());
        for (Workload workload : Workload.values()) {
            stats.put(workload, new SchedulerStats(architecture, architecture, workload));
        }
    }

    public RunningJob submitted(SimulatedJob job) {
        stats(job).submitted();
        return new RunningJob(job);
    }

    /** A scheduler will work on the job for the first time, after so long and for so long. Time after the run does not count. */
    public void decides(SimulatedJob job, long waitNanos, long busyNanos) {
        long leftNanos = endNanos - heap.nowNanos() - waitNanos;
        if (leftNanos >= 0) {
            stats(job).decided(waitNanos, Math.min(busyNanos, leftNanos) / deciders);
        }
    }

    /** One request for tasks of the job was answered. */
    public void answered(SimulatedJob job, int accepted, int conflicted) {
        stats(job).transactionDecided(accepted, conflicted);
    }

    /** That many cores are in use from now on by work that was there before; negative for less. */
    public void standing(long cpuMilli) {
        utilisation.add(cpuMilli, heap.nowNanos());
    }

    /** The task was in a machine's queue for so long. */
    public void queued(long nanos) {
        queueWaits.add(nanos);
    }

    public void begin(RunningJob running) {
        utilisation.add(geometry.taskCpuMilli(), heap.nowNanos());
        if (running.begin()) {
            stats(running.job()).fullyScheduled(running.job(), heap.nowNanos());
            jobs.placed(running.job(), heap.nowNanos());
        }
    }

    /** The task holds its machine no more. */
    public void free() {
        utilisation.add(-geometry.taskCpuMilli(), heap.nowNanos());
    }

    /** The job's scheduler knows that the task has ended. */
    public void end(RunningJob running) {
        end(running, running.job().times().longest());
    }

    /** The same where tasks run for another time than the job says: the longest of them for {@code longestNanos}. */
    public void end(RunningJob running, long longestNanos) {
        if (running.end()) {
            jobs.ended(running.job(), longestNanos, heap.nowNanos());
        }
    }

    public void count(String event, long times) {
        events.merge(event, times, Long::sum);
    }

    private SchedulerStats stats(SimulatedJob job) {
        return Objects.requireNonNull(stats.get(job.workload()));
    }

    public RunResult result() {
        long now = heap.nowNanos();
        return new RunResult(
                Arrays.stream(Workload.values())
                        .map(workload ->
                                Objects.requireNonNull(stats.get(workload)).row(now))
                        .toList(),
                utilisation.mean(now),
                stats.values().stream()
                        .mapToLong(SchedulerStats::claimsAccepted)
                        .sum(),
                Optional.empty(),
                jobs.stats(),
                events,
                queueWaits.quantiles());
    }
}
