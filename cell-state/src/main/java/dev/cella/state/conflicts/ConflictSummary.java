package dev.cella.state.conflicts;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Outcomes of the transactions in a stretch of time, the most frequent first.
 *
 * @param conflictCount the number of lost claims
 * @param countedFromMillis the time from which transactions are counted
 * @param keptFromMillis lost claims from before this time are no longer kept; 0 if none was ever dropped
 */
public record ConflictSummary(
        List<SchedulerRow> schedulers,
        List<CauseRow> conflicts,
        List<CauseRow> refusals,
        List<MachineRow> machines,
        List<MatrixRow> matrix,
        List<GroupRow> groups,
        long conflictCount,
        Optional<Lost> lost,
        long countedFromMillis,
        long keptFromMillis) {
    /** When the first and the last claim was lost, by the wall clock. */
    public record Lost(long firstMillis, long lastMillis) {}

    /**
     * One scheduler's share; {@code stalenessVersionsMedian} is how many versions the cell had advanced when its plans were
     * decided.
     */
    public record SchedulerRow(String name, Totals totals, OptionalLong stalenessVersionsMedian, Optional<Lost> lost) {}

    public record CauseRow(Cause cause, long count) {}

    public record MachineRow(String name, long count) {}

    /** How many claims the loser lost to the winner. */
    public record MatrixRow(String loser, String winner, long count) {}

    /** How many lost claims have that key, and when the first and the last were lost. */
    public record GroupRow(String key, long count, long firstMillis, long lastMillis) {}

    public ConflictSummary {
        groups = List.copyOf(groups);
        schedulers = List.copyOf(schedulers);
        conflicts = List.copyOf(conflicts);
        refusals = List.copyOf(refusals);
        machines = List.copyOf(machines);
        matrix = List.copyOf(matrix);
    }
}
