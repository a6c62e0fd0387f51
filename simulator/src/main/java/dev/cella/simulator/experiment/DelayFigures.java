package dev.cella.simulator.experiment;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.InputSetUp;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.workload.JobKind;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.ReferenceCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The experiments on locality of "Delay Scheduling" (EuroSys 2010) and of the dissertation's 5.5.3, by the live scheduler of
 * type {@code fair}. The papers do not say how long tasks ran; here it is {@value #TASK_SECONDS} s on average,
 * exponentially. Every experiment keeps the slots full, so that one slot at a time becomes free, as where heartbeats arrive.
 */
final class DelayFigures {
    private static final int REPLICAS = 3;
    private static final int MACHINES = 100;
    private static final int EC2_SLOTS = 4;
    private static final int PRIVATE_SLOTS = 6;
    private static final int PRIVATE_RACKS = 4;
    private static final int MESOS_MACHINES = 93;
    private static final int MESOS_INSTANCES = 16;
    private static final int BLOCKS = 720;
    private static final double TASK_SECONDS = 20;
    private static final double REMOTE_FACTOR = 2;
    private static final double PROBE_TASKS_PER_SECOND = 0.5;
    private static final double PERCENT = 100;
    /** Shorter waits are outside of the bound's model, where each task of a job has a wait of its own. */
    private static final double BOUND_HOLDS_FROM_SECONDS = 5;

    private static final double TOLERANCE = 0.03;
    private static final double STICKY_TOLERANCE = 0.05;
    private static final double DAYS_OF_PROBES = 0.02;
    private static final double DAYS_OF_SCANS = 0.2;

    private static final String NAIVE = "no wait";
    private static final String DELAY = "delay scheduling";
    private static final SchedulerChoice FAIR =
            new SchedulerChoice(1, "fair", new TreeMap<>(Map.of("jobsPerPool", "100")));
    private static final Panel LOCALITY = new Panel(
            "locality", "Tasks on a machine with their block", "part", false, List.of(FigureMetric.NODE_LOCALITY));
    private static final Panel BOTH_LOCALITIES = new Panel(
            "locality",
            "Tasks near their block",
            "part",
            false,
            List.of(FigureMetric.NODE_LOCALITY, FigureMetric.RACK_LOCALITY));
    private static final Panel FINISHED =
            new Panel("finished", "When the last job ended", "seconds", false, List.of(FigureMetric.FINISHED));
    private static final Panel RESPONSE =
            new Panel("response", "Mean time of a job", "seconds", false, List.of(FigureMetric.RESPONSE));

    private DelayFigures() {}

    static List<Figure> all() {
        return List.of(table2(), table4(), figure13(), figure14(), figure15(), mesos());
    }

    // ---- jobs of Facebook's sizes

    private static Figure table2() {
        List<FigurePoint> points = new ArrayList<>();
        for (double wait : new double[] {0, 5}) {
            points.add(new FigurePoint(wait == 0 ? NAIVE : DELAY, wait, facebook(wait)));
        }
        return new Figure(
                "delay-table-2",
                "Delay Scheduling, Table 2: 100 jobs with Facebook's numbers of maps, 14 s apart, on 100 machines of 4"
                        + " slots",
                "W1, seconds",
                points,
                List.of(LOCALITY, RESPONSE),
                List.of(
                        new Statement(
                                "delay scheduling brings \"locality close to 100%\"",
                                "section 1; the jobs of Table 2",
                                data -> near(data, DELAY, point -> 1, STICKY_TOLERANCE)),
                        new Statement(
                                "jobs are no slower with delay scheduling than without it",
                                "figures 7 to 10",
                                DelayFigures::slowedDown)),
                DAYS_OF_SCANS);
    }

    private static Finding slowedDown(FigureData data) {
        double naive = mean(data, NAIVE, 0, FigureMetric.RESPONSE);
        double delay = mean(data, DELAY, 5, FigureMetric.RESPONSE);
        return new Finding(
                String.format(Locale.ROOT, "mean time of a job %.0f s without, %.0f s with", naive, delay),
                delay <= naive * (1 + TOLERANCE));
    }

    // ---- small jobs

    private static Figure table4() {
        List<FigurePoint> points = new ArrayList<>();
        for (int maps : new int[] {3, 10, 100}) {
            points.add(new FigurePoint(NAIVE, maps, inRacks(maps, 0)));
            points.add(new FigurePoint(DELAY, maps, inRacks(maps, 15)));
        }
        return new Figure(
                "delay-table-4",
                "Delay Scheduling, Table 4: small jobs on 100 machines in 4 racks, 6 slots each, W1 = W2 = 15 s",
                "maps of a job",
                points,
                List.of(BOTH_LOCALITIES),
                List.of(
                        new Statement(
                                "without a wait, node/rack: 3 maps 2/50 %, 10 maps 37/98 %, 100 maps 84/99 %",
                                "Table 4; closed form 1 - (1 - R/M)^K over K = N to 1",
                                data -> near(
                                        data, NAIVE, point -> LocalityTheory.waiting(point.parameters()), TOLERANCE)),
                        new Statement(
                                "with it \"raised data locality to at least 75% and rack locality to at least 94%\":"
                                        + " 75/96, 99/100, 94/99 %",
                                "5.2.2", DelayFigures::raised)),
                DAYS_OF_PROBES);
    }

    private static Finding raised(FigureData data) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = true;
        for (FigurePoint point : data.points(DELAY)) {
            double node = data.mean(point, FigureMetric.NODE_LOCALITY).orElse(0);
            double rack = data.mean(point, FigureMetric.RACK_LOCALITY).orElse(0);
            measured.append(
                    String.format(Locale.ROOT, "%.0f maps %.0f/%.0f %%. ", point.x(), node * PERCENT, rack * PERCENT));
            agrees &= node >= 0.75 && rack >= 0.94;
        }
        return new Finding(measured.toString().strip(), agrees);
    }

    private static Figure figure15() {
        List<FigurePoint> points = new ArrayList<>();
        for (int maps : new int[] {4, 12}) {
            for (double wait : new double[] {0, 1, 5, 10}) {
                points.add(new FigurePoint(maps + " maps", wait, probes(maps, wait)));
            }
        }
        return new Figure(
                "delay-figure-15",
                "Delay Scheduling, Figure 15: the effect of W1 on jobs of 4 and 12 maps",
                "W1, seconds",
                points,
                List.of(LOCALITY),
                List.of(
                        new Statement(
                                "4 maps: 5 % at 0 s, 68 % at 1 s, near 100 % at 5 s",
                                "5.3; closed form of Algorithm 3",
                                data -> near(
                                        data,
                                        "4 maps",
                                        point -> LocalityTheory.waiting(point.parameters()),
                                        TOLERANCE)),
                        new Statement(
                                "12 maps: 11 % at 0 s, 80 % at 1 s, 99.8 % at 10 s",
                                "5.3; closed form of Algorithm 3",
                                data -> near(
                                        data,
                                        "12 maps",
                                        point -> LocalityTheory.waiting(point.parameters()),
                                        TOLERANCE)),
                        new Statement(
                                "locality is at least 1 - e^(-RD/M) / (N (1 - e^(-RD/M))) for D slots that go by",
                                "3.5, from 5 s on; at 1 s Algorithm 3 keeps its level after a wait, which the bound does not model",
                                DelayFigures::atLeast)),
                DAYS_OF_PROBES);
    }

    private static Finding atLeast(FigureData data) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = true;
        for (FigurePoint point : data.points()) {
            if (point.x() > 0) {
                RunParameters run = point.parameters();
                double bound = LocalityTheory.atLeast(
                        LocalityTheory.skipped(run),
                        (int) Math.round(run.batch().means().tasksPerJob()),
                        run.input().replicas(),
                        run.geometry().machines());
                double node = data.mean(point, FigureMetric.NODE_LOCALITY).orElse(0);
                measured.append(String.format(
                        Locale.ROOT,
                        "%s, %s s: %.0f %%, bound %.0f %%. ",
                        point.series(),
                        point.x(),
                        node * PERCENT,
                        bound * PERCENT));
                agrees &= point.x() < BOUND_HOLDS_FROM_SECONDS || node >= bound - TOLERANCE;
            }
        }
        return new Finding(measured.toString().strip(), agrees);
    }

    // ---- sticky slots

    private static List<FigurePoint> stickySlots() {
        List<FigurePoint> points = new ArrayList<>();
        for (int jobs : new int[] {5, 10, 20, 50}) {
            points.add(new FigurePoint(NAIVE, jobs, scans(jobs, 0)));
            points.add(new FigurePoint(DELAY, jobs, scans(jobs, 10)));
        }
        return points;
    }

    private static Figure figure13() {
        return new Figure(
                "delay-figure-13",
                "Delay Scheduling, Figure 13: node locality in the sticky slots stress test",
                "concurrent jobs",
                stickySlots(),
                List.of(LOCALITY),
                List.of(
                        new Statement(
                                "without a wait \"from 92% with 5 jobs down to 27% for 50 jobs\"",
                                "5.2.3; closed form 1 - (1 - f)^(RL) (3.3.2)",
                                data -> near(
                                        data,
                                        NAIVE,
                                        point -> LocalityTheory.stickySlots(1 / point.x(), REPLICAS, EC2_SLOTS),
                                        STICKY_TOLERANCE)),
                        new Statement(
                                "\"Delay scheduling raised locality to 99-100% in all cases\"",
                                "5.2.3, W1 = 10 s", data -> near(data, DELAY, point -> 1, TOLERANCE))),
                DAYS_OF_SCANS);
    }

    private static Figure figure14() {
        return new Figure(
                "delay-figure-14",
                "Delay Scheduling, Figure 14: finish times in the sticky slots stress test",
                "concurrent jobs",
                stickySlots(),
                List.of(FINISHED),
                List.of(new Statement(
                        "throughput rises 1.1 times for 10 jobs, 1.6 times for 20, 2 times for 50",
                        "5.2.3; here a task away from its block runs twice as long",
                        DelayFigures::gains)),
                DAYS_OF_SCANS);
    }

    private static Finding gains(FigureData data) {
        StringBuilder measured = new StringBuilder();
        double before = 0;
        boolean agrees = true;
        for (FigurePoint point : data.points(NAIVE)) {
            double gain = mean(data, NAIVE, point.x(), FigureMetric.FINISHED)
                    / mean(data, DELAY, point.x(), FigureMetric.FINISHED);
            measured.append(String.format(Locale.ROOT, "%.0f jobs: %.1f times. ", point.x(), gain));
            agrees &= gain > before;
            before = gain;
        }
        return new Finding(measured.toString().strip(), agrees);
    }

    // ---- several instances on one cell (dissertation, 5.5.3)

    private static Figure mesos() {
        List<FigurePoint> points = new ArrayList<>();
        points.add(new FigurePoint("static partitions", 0, instances("partitioned", 0)));
        for (double wait : new double[] {0, 1, 5}) {
            points.add(new FigurePoint("shared", wait, instances("fair", wait)));
        }
        return new Figure(
                "locality-5.5.3",
                "Figure 5.7: locality of 16 instances on 93 machines, partitioned and shared, with delay scheduling",
                "W1, seconds",
                points,
                List.of(LOCALITY, RESPONSE),
                List.of(
                        new Statement(
                                "\"Using static partitioning yields very low data locality (18%)\"",
                                "5.5.3; closed form 1 - (1 - 1/16)^R",
                                data -> near(
                                        data,
                                        "static partitions",
                                        point -> LocalityTheory.partition(1.0 / MESOS_INSTANCES, REPLICAS),
                                        TOLERANCE)),
                        new Statement(
                                "shared, locality is better even without a wait; a wait of 1 s brings it \"above 90%\", 5 s"
                                        + " \"achieves 95%\"",
                                "5.5.3", DelayFigures::sharedIsBetter)),
                DAYS_OF_SCANS);
    }

    private static Finding sharedIsBetter(FigureData data) {
        double none = mean(data, "shared", 0, FigureMetric.NODE_LOCALITY);
        double one = mean(data, "shared", 1, FigureMetric.NODE_LOCALITY);
        double five = mean(data, "shared", 5, FigureMetric.NODE_LOCALITY);
        return new Finding(
                String.format(
                        Locale.ROOT,
                        "%.0f %% without, %.0f %% at 1 s, %.0f %% at 5 s",
                        none * PERCENT,
                        one * PERCENT,
                        five * PERCENT),
                none > LocalityTheory.partition(1.0 / MESOS_INSTANCES, REPLICAS) && one >= 0.9 && five >= 0.95);
    }

    // ---- the runs

    static RunParameters probes(int tasks, double waitMachineSeconds) {
        return run(
                new Geometry(MACHINES, EC2_SLOTS * 1_000L, EC2_SLOTS * 1_024L, 1_000, 1_024, 0),
                new JobMeans(PROBE_TASKS_PER_SECOND / tasks, tasks, TASK_SECONDS),
                new InputSetUp(JobKind.PROBES, 1, 1, REPLICAS, millis(waitMachineSeconds), 0, 1));
    }

    private static RunParameters inRacks(int tasks, double waitSeconds) {
        return run(
                new Geometry(MACHINES, PRIVATE_SLOTS * 1_000L, PRIVATE_SLOTS * 1_024L, 1_000, 1_024, 0),
                new JobMeans(PROBE_TASKS_PER_SECOND / tasks, tasks, TASK_SECONDS),
                new InputSetUp(
                        JobKind.PROBES, 1, PRIVATE_RACKS, REPLICAS, millis(waitSeconds), millis(waitSeconds), 1));
    }

    static RunParameters scans(int jobs, double waitMachineSeconds) {
        return run(
                new Geometry(MACHINES, EC2_SLOTS * 1_000L, EC2_SLOTS * 1_024L, 1_000, 1_024, 0),
                new JobMeans(1, BLOCKS, TASK_SECONDS),
                new InputSetUp(JobKind.SCANS, jobs, 1, REPLICAS, millis(waitMachineSeconds), 0, REMOTE_FACTOR));
    }

    private static RunParameters facebook(double waitMachineSeconds) {
        return run(
                new Geometry(MACHINES, EC2_SLOTS * 1_000L, EC2_SLOTS * 1_024L, 1_000, 1_024, 0),
                new JobMeans(1.0 / 14, 1, TASK_SECONDS),
                new InputSetUp(JobKind.FACEBOOK, 100, 1, REPLICAS, millis(waitMachineSeconds), 0, REMOTE_FACTOR));
    }

    static RunParameters instances(String architecture, double waitMachineSeconds) {
        boolean parted = architecture.equals("partitioned");
        RunParameters shared = run(
                new Geometry(MESOS_MACHINES, EC2_SLOTS * 1_000L, EC2_SLOTS * 1_024L, 1_000, 1_024, 0),
                new JobMeans(1, BLOCKS, TASK_SECONDS),
                new InputSetUp(
                        JobKind.SCANS, MESOS_INSTANCES, 1, REPLICAS, millis(waitMachineSeconds), 0, REMOTE_FACTOR));
        return shared.of(architecture)
                .withBatchPart(1)
                .withBatch(setUp -> parted
                        ? setUp.withSchedulers(new SchedulerChoice(MESOS_INSTANCES, "fair", FAIR.options()))
                        : setUp);
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1_000);
    }

    private static RunParameters run(Geometry geometry, JobMeans means, InputSetUp input) {
        return RunParameters.of("fair", ReferenceCell.A)
                .withGeometry(geometry)
                .withBatch(setUp -> setUp.withMeans(means).withSchedulers(FAIR))
                .withService(setUp -> setUp.withMeans(setUp.means().withJobsPerSecond(0)))
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .withInput(input);
    }

    // ---- what is found

    private static double mean(FigureData data, String series, double x, FigureMetric metric) {
        return data.mean(series, x, metric).orElse(Double.NaN);
    }

    /** Returns whether the node locality of each point of a series is what theory says, within the tolerance. */
    private static Finding near(
            FigureData data, String series, ToDoubleFunction<FigurePoint> theory, double tolerance) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = true;
        for (FigurePoint point : data.points(series)) {
            OptionalDouble node = data.mean(point, FigureMetric.NODE_LOCALITY);
            double expected = theory.applyAsDouble(point);
            measured.append(String.format(
                    Locale.ROOT,
                    "at %s: %.1f %%, closed form %.1f %%. ",
                    point.x(),
                    node.orElse(Double.NaN) * PERCENT,
                    expected * PERCENT));
            agrees &= Math.abs(node.orElse(Double.NaN) - expected) <= tolerance;
        }
        return new Finding(measured.toString().strip(), agrees);
    }
}
