package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import java.util.Locale;
import java.util.stream.Collectors;

/** The page of a figure: the paper's statements beside our measurements, then the charts, then the runs. */
final class FigurePage {
    private static final String STYLE = "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
            + "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.4em .6em;text-align:left;"
            + "vertical-align:top}.yes{color:#26702c}.no{color:#a3261b}img{max-width:100%}"
            + ":root{color-scheme:light dark}@media(prefers-color-scheme:dark){td,th{border-color:#444}"
            + ".yes{color:#7cc98a}.no{color:#f0917b}}";

    private final Figure figure;
    private final FigureData data;

    FigurePage(Figure figure, FigureData data) {
        this.figure = figure;
        this.data = data;
    }

    String html() {
        return "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>" + escaped(figure.title())
                + "</title>\n<style>" + STYLE + "</style>\n<h1>" + escaped(figure.title()) + "</h1>\n<p>"
                + escaped(setUp()) + "</p>\n" + statements() + charts() + "<p>Every number: <a href=\""
                + figure.name() + ".csv\">" + figure.name() + ".csv</a></p>\n</html>\n";
    }

    private String setUp() {
        return data.anyParameters().map(this::setUp).orElse("No cell is simulated for this page.");
    }

    private String setUp(RunParameters parameters) {
        Geometry geometry = parameters.geometry();
        String machines = data.points().stream()
                .map(point -> point.parameters().cell() + " "
                        + point.parameters().geometry().machines())
                .distinct()
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%s simulated days, %d seed%s. Machines by cell: %s; each %d cpuMilli and %d memoryMib, a task %d and %d,"
                        + " prefilled to %s.",
                parameters.days(),
                data.seeds(),
                data.seeds() == 1 ? "" : "s, averaged",
                machines,
                geometry.machineCpuMilli(),
                geometry.machineMemoryMib(),
                geometry.taskCpuMilli(),
                geometry.taskMemoryMib(),
                geometry.prefill());
    }

    private String statements() {
        StringBuilder table = new StringBuilder("<table>\n<tr><th>the paper<th>where<th>measured here<th>agrees\n");
        for (Statement statement : figure.statements()) {
            Finding finding = statement.check().apply(data);
            table.append("<tr><td>")
                    .append(escaped(statement.text()))
                    .append("<td>")
                    .append(escaped(statement.source()))
                    .append("<td>")
                    .append(escaped(finding.measured()))
                    .append(cell(statement.verdict(finding, data.simulatedDays())));
        }
        return table.append("</table>\n").toString();
    }

    private static String cell(Finding.Verdict verdict) {
        return switch (verdict) {
                    case YES -> "<td class=\"yes\">";
                    case NO -> "<td class=\"no\">";
                    case TOO_SHORT -> "<td>";
                }
                + verdict.words() + "\n";
    }

    private String charts() {
        return figure.panels().isEmpty()
                ? ""
                : "<p>Each line has a marker of its own; a bar at a marker spans the seeds. "
                        + (figure.hasTheory(data)
                                ? "The grey line without markers is what the queueing theory of the paper gives."
                                : "The paper prints this figure without numbers: its statements above are what can be compared.")
                        + "</p>\n"
                        + figure.panels().stream()
                                .map(panel -> "<p><img alt=\"" + escaped(panel.title()) + "\" src=\""
                                        + figure.chartFile(panel) + "\"></p>\n")
                                .collect(Collectors.joining());
    }

    private static String escaped(String text) {
        return LineChart.escaped(text);
    }
}
