package dev.cella.simulator.experiment;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.DecentralSetUp;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The trends that "Megha: Decentralized Global Fair Scheduling for Federated Clusters" reports in section VI, on exponential
 * work. The authors' simulator measures what its masters compute; here a master works {@value #WORKER_NANOS} ns for each
 * worker of a state that it sends or gets. A job's wait lasts until its last task runs, so it is the longest allocation time
 * of its tasks.
 */
final class MeghaFigures {
    private static final String MEGHA = "megha";
    private static final String SPARROW = "sparrow";
    private static final String GLOBAL = "global masters, 10 local";
    private static final String LOCAL = "local masters, 10 global";
    private static final int MASTERS = 10;
    private static final long HOP_NANOS = VirtualTime.NANOS_PER_MILLI / 2;
    private static final long WORKER_NANOS = 1_000;
    private static final int WORKERS = 10_000;
    private static final double TASKS = 40;
    private static final double TASK_SECONDS = 50;
    /** The paper does not say how busy the workers were. Above this load, tasks wait for heartbeats. */
    private static final double BOUND_HOLDS_TO_LOAD = 0.7;

    private static final double TAIL_SECONDS = 10;
    private static final double BOUND_SECONDS = 1.5;
    private static final double DAYS = 0.02;

    private static final Panel WAITS = new Panel(
            "wait",
            "Wait until all tasks of a job run",
            "seconds",
            true,
            List.of(FigureMetric.JOB_WAIT, FigureMetric.JOB_WAIT_MAX));
    private static final Panel TAKEN = new Panel(
            "taken",
            "Workers taken from others",
            "number",
            false,
            List.of(FigureMetric.REPARTITIONS, FigureMetric.PREEMPTIONS));

    static final List<Figure> ALL = List.of(bound(), clusterSize(), masters(), fairness());

    private MeghaFigures() {}

    // ---- VI-A

    private static Figure bound() {
        List<FigurePoint> points = new ArrayList<>();
        for (double load : new double[] {0.5, BOUND_HOLDS_TO_LOAD, 0.8}) {
            JobMeans work = new JobMeans(load * WORKERS / (TASKS * TASK_SECONDS), TASKS, TASK_SECONDS);
            points.add(new FigurePoint(MEGHA, load, run(MEGHA, WORKERS, MASTERS, MASTERS, work)));
            points.add(new FigurePoint(SPARROW, load, run(SPARROW, WORKERS, MASTERS, MASTERS, work)));
        }
        return figure(
                "megha-figure-3",
                "Megha, Figures 3 and 4: 10,000 workers with 10 global and 10 local masters, beside Sparrow",
                "part of the workers that are busy on average",
                points,
                WAITS,
                new Statement(
                        "\"Megha's allocation time is consistently less than 1.5s\"",
                        "VI-A, 10,000 workers, while at most 0.7 of them are busy",
                        MeghaFigures::isWithinTheBound),
                new Statement(
                        "\"the allocation times recorded under Sparrow have a large variation and can run into tens of"
                                + " seconds\"",
                        "VI-A, 10,000 workers",
                        MeghaFigures::sparrowHasATail));
    }

    private static Finding isWithinTheBound(FigureData data) {
        List<Double> longest = values(data, MEGHA, FigureMetric.JOB_WAIT_MAX);
        boolean agrees = data.points(MEGHA).stream()
                .filter(point -> point.x() <= BOUND_HOLDS_TO_LOAD)
                .allMatch(point -> data.mean(point, FigureMetric.JOB_WAIT_MAX).orElse(0) < BOUND_SECONDS);
        return new Finding("at most " + seconds(longest), agrees);
    }

    private static Finding sparrowHasATail(FigureData data) {
        List<Double> longest = values(data, SPARROW, FigureMetric.JOB_WAIT_MAX);
        return new Finding("at most " + seconds(longest), longest.stream().allMatch(each -> each > TAIL_SECONDS));
    }

    // ---- VI-C

    private static Figure clusterSize() {
        List<FigurePoint> points = new ArrayList<>();
        for (int workers : new int[] {1_000, 3_000, 10_000, 30_000, 50_000}) {
            points.add(new FigurePoint(MEGHA, workers, run(MEGHA, workers, MASTERS, MASTERS, new JobMeans(1, 10, 10))));
        }
        return figure(
                "megha-figure-8",
                "Megha, Figure 8: more workers with 10 global and 10 local masters",
                "workers",
                points,
                WAITS,
                new Statement(
                        "\"Megha's resource allocation time increases with an increase in the number of workers when the"
                                + " number of LMs and GMs are not correspondingly increased\"",
                        "VI-C",
                        data -> isMonotone(data, MEGHA, FigureMetric.JOB_WAIT, true)));
    }

    // ---- VI-D

    private static Figure masters() {
        List<FigurePoint> points = new ArrayList<>();
        JobMeans work = new JobMeans(5, 20, 20);
        for (int masters : new int[] {1, 2, 5, MASTERS}) {
            points.add(new FigurePoint(GLOBAL, masters, deciding(run(MEGHA, 30_000, masters, MASTERS, work))));
            points.add(new FigurePoint(LOCAL, masters, deciding(run(MEGHA, 30_000, MASTERS, masters, work))));
        }
        return figure(
                "megha-figure-9",
                "Megha, Figure 9: more masters for 30,000 workers, 5 ms to decide a task",
                "masters",
                points,
                WAITS,
                new Statement(
                        "\"Increasing the number of GMs increases the scheduling throughput of the system\"",
                        "VI-D",
                        data -> isMonotone(data, GLOBAL, FigureMetric.JOB_WAIT, false)),
                new Statement(
                        "\"Increasing the number of LMs increases the total number of GM requests that can be processed"
                                + " per second\"",
                        "VI-D",
                        data -> isMonotone(data, LOCAL, FigureMetric.JOB_WAIT, false)));
    }

    private static RunParameters deciding(RunParameters run) {
        DecisionTime each = DecisionTime.ofSeconds(0, 0.005);
        return run.withDecisionTimes(each, each);
    }

    // ---- VI-E

    private static Figure fairness() {
        List<FigurePoint> points = new ArrayList<>();
        for (int workers : new int[] {200, 500, 1_500}) {
            RunParameters run = run(MEGHA, workers, 3, 3, new JobMeans(0.1, 40, 60));
            points.add(new FigurePoint(
                    MEGHA, workers, run.withDecentral(run.decentral().withShares(List.of(10.0, 25.0, 15.0, 50.0)))));
        }
        return figure(
                "megha-figure-11",
                "Megha, Figure 11: 4 users with 10, 25, 15 and 50 % of small data centers, 3 global and 3 local masters",
                "workers",
                points,
                TAKEN,
                new Statement(
                        "\"The number of preemptions, preemption attempts, and repartitions [...] is found to increase"
                                + " with the decrease in cluster size\": preemptions",
                        "VI-E",
                        data -> isMonotone(data, MEGHA, FigureMetric.PREEMPTIONS, false)),
                new Statement(
                        "the same: repartitions",
                        "VI-E",
                        data -> isMonotone(data, MEGHA, FigureMetric.REPARTITIONS, false)));
    }

    // ---- all of them

    private static Figure figure(
            String name, String title, String xLabel, List<FigurePoint> points, Panel panel, Statement... statements) {
        return new Figure(name, title, xLabel, points, List.of(panel), List.of(statements), DAYS);
    }

    private static RunParameters run(String architecture, int workers, int global, int local, JobMeans work) {
        return RunParameters.of(architecture, ReferenceCell.A)
                .withGeometry(new Geometry(workers, 1_000, 1_024, 1_000, 1_024, 0))
                .withBatch(setUp -> setUp.withMeans(work))
                .withService(setUp -> setUp.withMeans(work.withJobsPerSecond(0)))
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .withDecentral(DecentralSetUp.DEFAULT.withMasters(global, local).withTimes(HOP_NANOS, WORKER_NANOS));
    }

    private static List<Double> values(FigureData data, String series, FigureMetric metric) {
        return data.points(series).stream()
                .map(point -> data.mean(point, metric).orElse(Double.NaN))
                .toList();
    }

    /** Returns whether no value is below the one before it, or none above, and the last differs from the first. */
    private static Finding isMonotone(FigureData data, String series, FigureMetric metric, boolean rises) {
        List<Double> values = values(data, series, metric);
        boolean agrees = true;
        for (int at = 1; at < values.size(); at++) {
            double change = values.get(at) - values.get(at - 1);
            agrees &= rises ? change >= 0 : change <= 0;
        }
        agrees &= !values.get(0).equals(values.get(values.size() - 1));
        return new Finding(text(values, "%.4g"), agrees);
    }

    private static String seconds(List<Double> values) {
        return text(values, "%.3f") + " s";
    }

    private static String text(List<Double> values, String format) {
        return values.stream()
                .map(value -> String.format(Locale.ROOT, format, value))
                .collect(Collectors.joining(", "));
    }
}
