package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The results of a figure's runs: for each point one result per seed. */
public final class FigureData {
    private final Map<FigurePoint, List<RunResult>> resultsByPoint = new LinkedHashMap<>();

    public void add(FigurePoint point, RunResult result) {
        resultsByPoint.computeIfAbsent(point, key -> new ArrayList<>()).add(result);
    }

    List<FigurePoint> points() {
        return List.copyOf(resultsByPoint.keySet());
    }

    List<String> series() {
        return points().stream().map(FigurePoint::series).distinct().toList();
    }

    List<FigurePoint> points(String series) {
        return points().stream().filter(point -> point.series().equals(series)).toList();
    }

    /** How many days the runs of all seeds of a point simulate together. Infinite without runs: nothing was too short. */
    double simulatedDays() {
        return anyParameters().map(run -> run.days() * seeds()).orElse(Double.POSITIVE_INFINITY);
    }

    int seeds() {
        return resultsByPoint.values().stream().mapToInt(List::size).max().orElse(0);
    }

    /** Empty for a figure without runs. */
    Optional<RunParameters> anyParameters() {
        return points().stream().map(FigurePoint::parameters).findFirst();
    }

    /** Averaged over the seeds for which it exists. */
    OptionalDouble mean(FigurePoint point, FigureMetric metric) {
        return resultsByPoint.getOrDefault(point, List.of()).stream()
                .map(metric::of)
                .flatMapToDouble(OptionalDouble::stream)
                .average();
    }

    /** The same for the point of a series at that place. */
    OptionalDouble mean(String series, double x, FigureMetric metric) {
        return points(series).stream()
                .filter(point -> point.x() == x)
                .flatMapToDouble(point -> mean(point, metric).stream())
                .findFirst();
    }

    /** The smallest and the largest over the seeds; empty for fewer than two. */
    Optional<LineChart.Spread> spread(FigurePoint point, FigureMetric metric) {
        double[] values = resultsByPoint.getOrDefault(point, List.of()).stream()
                .map(metric::of)
                .flatMapToDouble(OptionalDouble::stream)
                .sorted()
                .toArray();
        return values.length < 2
                ? Optional.empty()
                : Optional.of(new LineChart.Spread(values[0], values[values.length - 1]));
    }
}
