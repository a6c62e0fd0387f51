package dev.cella.bench.conflicts;

import dev.cella.bench.cell.Conditions;
import dev.cella.scheduling.loop.DecisionTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The conflict fraction of parallel schedulers without pauses. Each has more waiting jobs than it plans, of eight tasks of
 * half a core that run for 200 ms. An injected decision time makes the planners slow enough to collide.
 *
 * <p>One cell is founded and filled further from point to point. Its server, machines and schedulers are in this process, and
 * communicate over its port.
 */
public final class ConflictsBench {
    /** The decision time of an attempt: 100 ms plus 5 ms per task, as for the dissertation's batch schedulers. */
    public static final DecisionTime DECISION_TIME = DecisionTime.parse("0.1s+5ms*tasks");

    private ConflictsBench() {}

    /** The results. */
    public record Report(Conditions conditions, List<ConflictFigures> figures) {}

    /**
     * Measures one point after another.
     *
     * @param folder where the cell is kept; its owner removes it
     * @param attempts of each scheduler, on average; a point is given up after half a minute
     * @param seed of all draws; time is not drawn: two runs differ as two runs of a live system do
     */
    public static Report run(
            Path folder,
            List<ConflictPoint> points,
            int machines,
            int attempts,
            long seed,
            Consumer<ConflictFigures> progress)
            throws Exception {
        Conditions conditions = Conditions.measure(folder);
        try (ContestedCell cell = ContestedCell.found(folder, machines, seed)) {
            List<ConflictFigures> figures = new ArrayList<>();
            for (ConflictPoint point : points) {
                cell.fill(point.fullPercent());
                ConflictFigures made = cell.measure(point, DECISION_TIME, attempts);
                figures.add(made);
                progress.accept(made);
            }
            return new Report(conditions, figures);
        }
    }
}
