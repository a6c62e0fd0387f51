package dev.cella.bench.conflicts;

import dev.cella.scheduler.batch.BatchPlacement;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import java.util.ArrayList;
import java.util.List;

/**
 * One measured point: a number of schedulers of one kind, on a cell that is filled to a given level before they
 * begin.
 *
 * @param fullPercent of the cell's room for tasks
 */
public record ConflictPoint(
        int fullPercent, BatchPlacement placement, ConflictRule conflictRule, Atomicity atomicity, int schedulers) {
    public ConflictPoint {
        if (schedulers < 1 || fullPercent < 0 || fullPercent > 95) {
            throw new IllegalArgumentException(
                    "there is at least one scheduler, and at most 95 percent of the cell are full before");
        }
    }

    /** All combinations, the emptier cells first. */
    public static List<ConflictPoint> all(
            List<Integer> fullPercents, List<BatchPlacement> placements, List<Integer> schedulers) {
        List<ConflictPoint> points = new ArrayList<>();
        for (int fullPercent : fullPercents.stream().sorted().toList()) {
            for (BatchPlacement placement : placements) {
                for (ConflictRule rule : ConflictRule.values()) {
                    for (Atomicity atomicity : Atomicity.values()) {
                        for (int count : schedulers) {
                            points.add(new ConflictPoint(fullPercent, placement, rule, atomicity, count));
                        }
                    }
                }
            }
        }
        return points;
    }
}
