package dev.cella.state.conflicts;

import java.util.List;
import java.util.OptionalLong;

/** What came of the transactions of a window of time, the most frequent first. */
public record ConflictSummary(
        List<SchedulerRow> schedulers,
        List<CauseRow> conflicts,
        List<CauseRow> refusals,
        List<MachineRow> machines,
        List<MatrixRow> matrix) {
    /** One scheduler's share; {@code stalenessVersionsMedian} is how far the cell had gone on when its plans were decided. */
    public record SchedulerRow(String name, Totals totals, OptionalLong stalenessVersionsMedian) {}

    public record CauseRow(Cause cause, long count) {}

    public record MachineRow(String name, long count) {}

    /** So many claims of the loser went to the winner. */
    public record MatrixRow(String loser, String winner, long count) {}

    public ConflictSummary {
        schedulers = List.copyOf(schedulers);
        conflicts = List.copyOf(conflicts);
        refusals = List.copyOf(refusals);
        machines = List.copyOf(machines);
        matrix = List.copyOf(matrix);
    }
}
