package dev.cella.simulator.engine;

import dev.cella.simulator.workload.Workload;
import java.util.List;

/**
 * The result of a run: the same for the same parameters, bit for bit.
 *
 * @param cpuUtilisation the fraction of the cell's cores that was held, averaged over the run, prefill included
 * @param placements how many tasks were placed, without those of the prefill
 */
public record RunResult(List<SchedulerRow> schedulers, double cpuUtilisation, long placements) {
    public RunResult {
        schedulers = List.copyOf(schedulers);
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
