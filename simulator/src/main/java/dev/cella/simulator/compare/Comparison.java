package dev.cella.simulator.compare;

import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The results of one workload in several architectures, each with the same seeds. */
public final class Comparison {
    /** One architecture, or the replicated cell with a plug-in's type. */
    public record Entry(String name, List<RunParameters> runs) {
        public Entry {
            runs = List.copyOf(runs);
        }
    }

    /** The result of a run, and its processor time. */
    public record Run(RunResult result, double cpuSeconds) {}

    private static final String REPLICATED = "replicated";

    /** Takes hours on a large cell, so it runs only if it is named. */
    private static final String SLOW = "offers-live";

    private final String workload;
    private final RunParameters asked;
    private final Map<String, List<Run>> runsByName = new LinkedHashMap<>();

    /**
     * @param workload as the user named it
     * @param asked the parameters of all runs, before each architecture adopts them
     */
    public Comparison(String workload, RunParameters asked) {
        this.workload = workload;
        this.asked = asked;
    }

    /** The architectures that are compared if none is named. */
    public static List<String> usual(List<String> architectures) {
        return architectures.stream().filter(name -> !name.equals(SLOW)).toList();
    }

    /** The runs of all: each architecture, then each type of a plug-in, with the seeds from the run's on. */
    public static List<Entry> entries(
            RunParameters run, List<String> architectures, List<String> pluginTypes, int seeds) {
        List<Entry> entries = new ArrayList<>();
        architectures.forEach(name -> entries.add(new Entry(name, seeded(run.of(name), seeds))));
        for (String type : pluginTypes) {
            RunParameters ofType = run.of(REPLICATED)
                    .withBatch(setUp -> setUp.withSchedulers(
                            new SchedulerChoice(setUp.schedulers().count(), type, Collections.emptySortedMap())));
            entries.add(new Entry(type, seeded(ofType, seeds)));
        }
        return entries;
    }

    /**
     * How many days a run takes in which every job of the traces can end: twice the longest task after the last arrival. Empty
     * without arrivals.
     */
    public static OptionalDouble days(List<Trace> traces) {
        long lastNanos = 0;
        long longestNanos = 0;
        for (Trace trace : traces) {
            if (trace instanceof Trace.Arrivals arrivals) {
                for (SimulatedJob job : arrivals.jobs()) {
                    lastNanos = Math.max(lastNanos, job.submittedNanos());
                    longestNanos = Math.max(longestNanos, job.times().longest());
                }
            }
        }
        double seconds = VirtualTime.seconds(lastNanos + 2 * longestNanos);
        return seconds > 0 ? OptionalDouble.of(seconds / VirtualTime.SECONDS_PER_DAY) : OptionalDouble.empty();
    }

    private static List<RunParameters> seeded(RunParameters run, int seeds) {
        List<RunParameters> runs = new ArrayList<>();
        for (int seed = 0; seed < seeds; seed++) {
            runs.add(run.lasting(run.days(), run.seed() + seed));
        }
        return runs;
    }

    /** Adds the results of an entry's runs. */
    public void add(String name, List<Run> runs) {
        runsByName.put(name, List.copyOf(runs));
    }

    public List<String> names() {
        return List.copyOf(runsByName.keySet());
    }

    /** Empty if the architecture has no such number in any run. */
    public Optional<ComparedValue> value(String name, ComparedFigure figure) {
        double[] values = results(name).stream()
                .flatMapToDouble(run -> figure.of(run).stream())
                .sorted()
                .toArray();
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return values.length == 0
                ? Optional.empty()
                : Optional.of(new ComparedValue(sum / values.length, values[0], values[values.length - 1]));
    }

    private List<RunResult> results(String name) {
        return runsByName.getOrDefault(name, List.of()).stream()
                .map(Run::result)
                .toList();
    }

    String workload() {
        return workload;
    }

    int seeds() {
        return runsByName.values().stream().mapToInt(List::size).max().orElse(0);
    }

    RunParameters asked() {
        return asked;
    }

    /** How long the runs of the architecture took, in seconds of processor time. */
    double cpuSeconds(String name) {
        return runsByName.getOrDefault(name, List.of()).stream()
                .mapToDouble(Run::cpuSeconds)
                .sum();
    }

    /** For JSON and YAML. */
    public Map<String, Object> report() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("workload", workload);
        report.put("machines", asked.geometry().machines());
        report.put("seeds", seeds());
        report.put("days", asked.days());
        report.put("architectures", names().stream().map(this::row).toList());
        return report;
    }

    private Map<String, Object> row(String name) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", name);
        for (ComparedFigure figure : ComparedFigure.values()) {
            value(name, figure).ifPresent(value -> {
                Map<String, Object> said = new LinkedHashMap<>();
                said.put("mean", value.mean());
                said.put("least", value.least());
                said.put("most", value.most());
                row.put(figure.field(), said);
            });
        }
        row.put("cpuSeconds", cpuSeconds(name));
        return row;
    }

    /** The page, and the same numbers as a table, by file name. */
    public Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("compare.html", new ComparisonPage(this).html());
        files.put("compare.csv", csv());
        return files;
    }

    private String csv() {
        StringBuilder csv = new StringBuilder("architecture,figure,mean,least,most\n");
        for (String name : names()) {
            for (ComparedFigure figure : ComparedFigure.values()) {
                value(name, figure)
                        .ifPresent(value -> csv.append(name)
                                .append(',')
                                .append(figure.field())
                                .append(',')
                                .append(value.mean())
                                .append(',')
                                .append(value.least())
                                .append(',')
                                .append(value.most())
                                .append('\n'));
            }
        }
        return csv.toString();
    }
}
