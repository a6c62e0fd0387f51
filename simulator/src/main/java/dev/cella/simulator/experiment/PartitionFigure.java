package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.WorkloadSetUp;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What static partitions cost beside the shared cell at equal load: the one part is full while the other is not. */
final class PartitionFigure {
    private static final String SHARED = "replicated";
    private static final String PARTITIONED = "partitioned";
    private static final double[] TIMES = {1, 1.5, 2, 2.5};
    private static final double DAYS = 1;

    private PartitionFigure() {}

    static Figure shown() {
        List<FigurePoint> points = new ArrayList<>();
        for (String architecture : List.of(SHARED, PARTITIONED)) {
            for (double times : TIMES) {
                points.add(new FigurePoint(architecture, times, run(architecture, times)));
            }
        }
        return new Figure(
                "partitions",
                "Static partitions of half the machines each, beside the shared cell, on cell A (4.2.1)",
                "arrival rate of batch jobs, as a multiple of cell A's",
                points,
                List.of(
                        new Panel(
                                "wait",
                                "Mean wait until a job is placed whole",
                                "seconds",
                                true,
                                List.of(FigureMetric.BATCH_WHOLE, FigureMetric.SERVICE_WHOLE)),
                        new Panel(
                                "utilisation",
                                "Cores in use",
                                "part of the cell",
                                false,
                                List.of(FigureMetric.UTILISATION))),
                List.of(
                        new Statement(
                                "\"low resource utilization\": the partitions use no more of the cell than the shared cell"
                                        + " does at the same load",
                                "4.2.1",
                                data -> compare(data, FigureMetric.UTILISATION, 1)),
                        new Statement(
                                "batch jobs wait at least as long in their part as in the shared cell",
                                "3.5, 4.2.1",
                                data -> compare(data, FigureMetric.BATCH_WHOLE, -1))),
                DAYS);
    }

    static RunParameters run(String architecture, double times) {
        JobMeans means = ReferenceCell.A.means(Workload.BATCH);
        return RunParameters.of(architecture, ReferenceCell.A)
                .withBatch((WorkloadSetUp setUp) ->
                        setUp.withMeans(means.withJobsPerSecond(times * means.jobsPerSecond())));
    }

    /**
     * Returns whether the shared cell's number is at least ({@code sign} 1) or at most (-1) that of the partitions at each
     * load.
     */
    private static Finding compare(FigureData data, FigureMetric metric, int sign) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = true;
        for (FigurePoint shared : data.points(SHARED)) {
            OptionalDouble one = data.mean(shared, metric);
            OptionalDouble other = data.mean(PARTITIONED, shared.x(), metric);
            if (one.isPresent() && other.isPresent()) {
                measured.append(String.format(
                        Locale.ROOT,
                        "x%s: %.3f shared, %.3f in parts. ",
                        shared.x(),
                        one.getAsDouble(),
                        other.getAsDouble()));
                agrees &= sign * (one.getAsDouble() - other.getAsDouble()) >= -0.01 * Math.abs(one.getAsDouble());
            }
        }
        return new Finding(measured.toString().strip(), agrees);
    }
}
