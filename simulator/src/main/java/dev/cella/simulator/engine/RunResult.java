package dev.cella.simulator.engine;

import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.Optional;

/**
 * The result of a run: the same for the same parameters, bit for bit.
 *
 * @param cpuUtilisation the fraction of the cell's cores that was held, averaged over the run, prefill included
 * @param placements how many tasks were placed, without those of the prefill
 * @param inputs where the tasks ran that read something, if any did
 */
public record RunResult(
        List<SchedulerRow> schedulers, double cpuUtilisation, long placements, Optional<InputStats> inputs) {
    public RunResult {
        schedulers = List.copyOf(schedulers);
    }

    /** The result of a run in which nothing is read. */
    public RunResult(List<SchedulerRow> schedulers, double cpuUtilisation, long placements) {
        this(schedulers, cpuUtilisation, placements, Optional.empty());
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

    /** The fraction of time for which the schedulers of all rows were busy. */
    public double busyFraction() {
        return schedulers.stream().mapToDouble(SchedulerRow::busyFraction).sum();
    }
}
