package dev.cella.bench.report;

import dev.cella.simulator.experiment.LineChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A chart of figures over a size, both axes logarithmic: a power is a straight line there, and its exponent is the slope.
 *
 * @param file where it goes, beside the runs
 * @param sizes the size of each cell of a run, in the order of the figures
 */
record MeasuredCurves(String file, String title, String xLabel, String yLabel, RunPath sizes, List<Curve> curves) {
    private static final double NO_PLACE = 0;

    MeasuredCurves {
        curves = List.copyOf(curves);
    }

    /**
     * One line.
     *
     * @param figures one figure for each size
     * @param exponent of the figures, for the legend
     */
    record Curve(MeasuredRow figures, MeasuredRow exponent) {
        private String label(List<KeptRun> kept) {
            return figures.what()
                    + exponent.spread(kept)
                            .map(spread -> ": " + FigureText.of(spread.median()))
                            .orElse("");
        }
    }

    /** The chart of the newest runs; nothing if no run has a figure for two sizes. */
    Optional<String> svg(List<KeptRun> kept) {
        LineChart chart = new LineChart(title, xLabel, yLabel, true);
        boolean hasCurve = false;
        for (int place = 0; place < curves.size(); place++) {
            Curve curve = curves.get(place);
            Map<Double, FigureSpread> points = points(curve.figures(), kept);
            if (points.size() > 1) {
                hasCurve = true;
                LineChart.Line line = chart.line(curve.label(kept), place, false);
                points.forEach((size, spread) -> line.add(size, spread.median(), bar(spread)));
            }
        }
        return hasCurve ? Optional.of(chart.svg()) : Optional.empty();
    }

    /** Over the newest runs, by size. */
    private Map<Double, FigureSpread> points(MeasuredRow row, List<KeptRun> kept) {
        List<KeptRun> runs = row.newest(kept);
        Map<Double, List<Double>> bySize = new TreeMap<>();
        for (KeptRun run : runs) {
            List<Double> at = sizes.in(run.data());
            List<Double> figures = row.figure().in(run.data());
            for (int cell = 0; cell < Math.min(at.size(), figures.size()); cell++) {
                // A logarithm has no place for less.
                if (at.get(cell) > NO_PLACE && figures.get(cell) > NO_PLACE) {
                    bySize.computeIfAbsent(at.get(cell), first -> new ArrayList<>())
                            .add(figures.get(cell));
                }
            }
        }
        Map<Double, FigureSpread> points = new TreeMap<>();
        bySize.forEach((size, figures) -> points.put(size, FigureSpread.of(figures, runs.size())));
        return points;
    }

    private static Optional<LineChart.Spread> bar(FigureSpread spread) {
        return spread.most() > spread.least()
                ? Optional.of(new LineChart.Spread(spread.least(), spread.most()))
                : Optional.empty();
    }
}
