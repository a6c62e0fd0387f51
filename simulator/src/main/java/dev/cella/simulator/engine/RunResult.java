package dev.cella.simulator.engine;

import dev.cella.simulator.workload.Workload;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of a run: the same for the same parameters, bit for bit.
 *
 * @param cpuUtilisation the fraction of the cell's cores that was held, averaged over the run, prefill included
 * @param placements how many tasks were placed, without those of the prefill
 * @param inputs where the tasks ran that read something, if any did
 * @param jobs the waits and delays of the jobs of all schedulers
 * @param events how often something happened that only some architectures know, by its name in the report
 * @param queueWait of tasks in the queues of machines, where machines have queues
 */
public record RunResult(
        List<SchedulerRow> schedulers,
        double cpuUtilisation,
        long placements,
        Optional<InputStats> inputs,
        JobStats jobs,
        SortedMap<String, Long> events,
        Optional<Quantiles> queueWait) {
    public RunResult {
        schedulers = List.copyOf(schedulers);
        events = Collections.unmodifiableSortedMap(new TreeMap<>(events));
    }

    /** The result of a run in which nothing is read, no machine has a queue, and nothing else is counted. */
    public RunResult(List<SchedulerRow> schedulers, double cpuUtilisation, long placements, JobStats jobs) {
        this(schedulers, cpuUtilisation, placements, Optional.empty(), jobs, new TreeMap<>(), Optional.empty());
    }

    /** The row of a workload with a single scheduler. */
    public SchedulerRow row(Workload workload) {
        List<SchedulerRow> rows =
                schedulers.stream().filter(row -> row.workload() == workload).toList();
        if (rows.size() != 1) {
            throw new IllegalStateException(rows.size() + " schedulers serve " + workload.word());
        }
        return rows.get(0);
    }

    /** The jobs that were submitted and not placed completely: they wait still, or were abandoned. */
    public int jobsNotPlaced() {
        return schedulers.stream()
                .mapToInt(row -> row.jobsQueued() + row.jobsAbandoned())
                .sum();
    }

    /** The fraction of time for which the schedulers of all rows were busy. */
    public double busyFraction() {
        return schedulers.stream().mapToDouble(SchedulerRow::busyFraction).sum();
    }
}
