package dev.cella.bench.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One row of a topic.
 *
 * @param source the runs that have the figure
 * @param goal nothing for a peer, or for a figure that only explains another
 */
record MeasuredRow(String what, RunSource source, RunPath figure, String unit, Optional<Goal> goal) {
    static MeasuredRow of(String what, RunSource source, String figure, String unit) {
        return new MeasuredRow(what, source, new RunPath(figure), unit, Optional.empty());
    }

    MeasuredRow with(Goal finishLine) {
        return new MeasuredRow(what, source, figure, unit, Optional.of(finishLine));
    }

    /** The runs that have the figure, of the commit that was measured last. */
    List<KeptRun> newest(List<KeptRun> kept) {
        List<KeptRun> its = source.of(kept).stream()
                .filter(run -> !figure.in(run.data()).isEmpty())
                .toList();
        Optional<String> commit =
                its.stream().max(Comparator.comparing(KeptRun::date)).map(KeptRun::commit);
        return its.stream()
                .filter(run -> commit.equals(Optional.of(run.commit())))
                .toList();
    }

    /** Over its newest runs. */
    Optional<FigureSpread> spread(List<KeptRun> kept) {
        List<KeptRun> runs = newest(kept);
        List<Double> figures =
                runs.stream().flatMap(run -> figure.in(run.data()).stream()).toList();
        return figures.isEmpty() ? Optional.empty() : Optional.of(FigureSpread.of(figures, runs.size()));
    }
}
