package dev.cella.simulator.experiment;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** A figure of a paper: its runs, the charts of their results, and the paper's statements. */
public final class Figure {
    private static final double WEEK = 7;

    private final String name;
    private final String title;
    private final String xLabel;
    private final List<FigurePoint> points;
    private final List<Panel> panels;
    private final List<Statement> statements;
    private final double days;

    /** One whose runs last a week. */
    Figure(
            String name,
            String title,
            String xLabel,
            List<FigurePoint> points,
            List<Panel> panels,
            List<Statement> statements) {
        this(name, title, xLabel, points, panels, statements, WEEK);
    }

    Figure(
            String name,
            String title,
            String xLabel,
            List<FigurePoint> points,
            List<Panel> panels,
            List<Statement> statements,
            double days) {
        this.days = days;
        this.name = name;
        this.title = title;
        this.xLabel = xLabel;
        this.points = List.copyOf(points);
        this.panels = List.copyOf(panels);
        this.statements = List.copyOf(statements);
    }

    public String name() {
        return name;
    }

    public String title() {
        return title;
    }

    /** How many virtual days a run takes by default. */
    public double days() {
        return days;
    }

    String xLabel() {
        return xLabel;
    }

    /** Every run of it, for one seed. */
    public List<FigurePoint> points() {
        return points;
    }

    List<Panel> panels() {
        return panels;
    }

    List<Statement> statements() {
        return statements;
    }

    /** All files of the figure, by their names: a table, a chart for each panel, and a page that shows them. */
    public Map<String, String> draw(FigureData data) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(name + ".csv", panels.isEmpty() ? findings(data) : table(data));
        for (Panel panel : panels) {
            files.put(chartFile(panel), chart(panel, data));
        }
        files.put(name + ".html", new FigurePage(this, data).html());
        return files;
    }

    String chartFile(Panel panel) {
        return name + "-" + panel.name() + ".svg";
    }

    private String table(FigureData data) {
        Set<FigureMetric> metrics = new LinkedHashSet<>();
        panels.forEach(panel -> metrics.addAll(panel.metrics()));
        StringBuilder table = new StringBuilder("series,x,seeds,machines,machineCpuMilli,taskCpuMilli,prefill");
        metrics.forEach(metric -> table.append(',').append(metric.column()));
        table.append('\n');
        for (FigurePoint point : data.points()) {
            var geometry = point.parameters().geometry();
            table.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%d,%d,%d,%d,%s",
                    point.series(),
                    point.x(),
                    data.seeds(),
                    geometry.machines(),
                    geometry.machineCpuMilli(),
                    geometry.taskCpuMilli(),
                    geometry.prefill()));
            metrics.forEach(metric -> table.append(',').append(cell(data.mean(point, metric))));
            table.append('\n');
        }
        return table.toString();
    }

    /** The table of a figure without charts: its numbers are in its findings. */
    private String findings(FigureData data) {
        StringBuilder table = new StringBuilder("paper,where,measured,agrees\n");
        for (Statement statement : statements) {
            Finding finding = statement.check().apply(data);
            table.append(String.join(
                            ",",
                            quoted(statement.text()),
                            quoted(statement.source()),
                            quoted(finding.measured()),
                            statement.verdict(finding, data.simulatedDays()).words()))
                    .append('\n');
        }
        return table.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String cell(OptionalDouble value) {
        return value.isPresent() ? Double.toString(value.getAsDouble()) : "";
    }

    private String chart(Panel panel, FigureData data) {
        LineChart chart = new LineChart(panel.title(), xLabel, panel.yLabel(), panel.logarithmic());
        for (String series : data.series()) {
            for (FigureMetric metric : panel.metrics()) {
                boolean secondary = metric != panel.metrics().get(0);
                LineChart.Line line =
                        chart.line(series + " " + metric.label(), data.series().indexOf(series), secondary);
                for (FigurePoint point : data.points(series)) {
                    data.mean(point, metric).ifPresent(y -> line.add(point.x(), y, data.spread(point, metric)));
                }
            }
            addTheory(chart, series, panel, data);
        }
        return chart.svg();
    }

    /** Returns whether a chart has a line of theory beside what was measured. */
    boolean hasTheory(FigureData data) {
        return panels.stream()
                .anyMatch(panel -> data.series().stream()
                        .anyMatch(series -> !queues(series, panel, data).isEmpty()));
    }

    private static void addTheory(LineChart chart, String series, Panel panel, FigureData data) {
        List<FigurePoint> queues = queues(series, panel, data);
        if (queues.isEmpty()) {
            return;
        }
        LineChart.Line theory = chart.reference(series + " theory");
        for (FigurePoint point : queues) {
            SingleServerQueue queue = SingleServerQueue.of(point.parameters());
            if (queue.busyFraction() < 1) {
                double y = panel.metrics().get(0) == FigureMetric.BUSY ? queue.busyFraction() : queue.meanWaitSeconds();
                theory.add(point.x(), y, Optional.empty());
            }
        }
    }

    /** The paper's own curve of a monolithic scheduler is that of a queue (M/G/1). The others it gives as pictures only. */
    private static List<FigurePoint> queues(String series, Panel panel, FigureData data) {
        FigureMetric metric = panel.metrics().get(0);
        boolean isKnown = metric == FigureMetric.BUSY || metric == FigureMetric.BATCH_WAIT;
        return data.points(series).stream()
                .filter(point -> isKnown && point.parameters().architecture().startsWith("monolithic"))
                .toList();
    }
}
