package dev.cella.simulator.compare;

import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The page of a comparison: one table, a chart for each column, and a paragraph for each architecture. Needs no server. */
final class ComparisonPage {
    private static final String STYLE = """
            :root{color-scheme:light dark;--ink:#1a2330;--dim:#5b6675;--line:#d5dae1;--bar:#1b6ca8;--mark:#c8553d;--back:#fff}
            @media(prefers-color-scheme:dark){:root{--ink:#e6ebf2;--dim:#9aa5b1;--line:#38424f;--bar:#5aa9e6;--mark:#f0937d;--back:#12181f}}
            body{font:16px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:var(--ink);background:var(--back)}
            h1{margin-bottom:0}h2{margin-top:2em}.dim{color:var(--dim)}.wide{overflow-x:auto}
            table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92em}
            td,th{border-bottom:1px solid var(--line);padding:.35em .6em;text-align:right;vertical-align:top}
            td{white-space:nowrap}td small{display:block;color:var(--dim)}
            td:first-child,th:first-child{text-align:left;font-weight:600}
            .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(26em,1fr));gap:1.5em;margin-top:2em}
            figure{margin:0}figcaption{font-weight:600}svg{width:100%;font-size:12px}
            svg text{fill:var(--ink)}svg rect{fill:var(--bar)}svg line{stroke:var(--mark);stroke-width:3}
            dt{font-weight:600;margin-top:1em}dd{margin-left:0}
            """;

    private static final String ONE_PATH = "monolithic";

    private final Comparison comparison;

    ComparisonPage(Comparison comparison) {
        this.comparison = comparison;
    }

    String html() {
        return "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\""
                + " content=\"width=device-width\"><title>Architectures compared</title>\n<style>\n" + STYLE
                + "</style>\n<h1>Architectures compared</h1>\n<p class=\"dim\">" + escaped(setUp())
                + "</p>\n<div class=\"wide\">\n"
                + table() + "</div>\n" + howDrawn() + "<div class=\"charts\">\n" + charts()
                + "</div>\n<h2>How to read a row</h2>\n<dl>\n"
                + notes()
                + "</dl>\n</html>\n";
    }

    private String setUp() {
        RunParameters run = comparison.asked();
        Geometry geometry = run.geometry();
        return String.format(
                Locale.ROOT,
                "Workload %s on %,d machines of %d cpuMilli and %d memoryMib, tasks of %d and %d, prefilled to %s; %.3f"
                        + " virtual days; %d seed%s from %d on. Decision time of batch jobs %s, of service jobs %s.%s",
                comparison.workload(),
                geometry.machines(),
                geometry.machineCpuMilli(),
                geometry.machineMemoryMib(),
                geometry.taskCpuMilli(),
                geometry.taskMemoryMib(),
                geometry.prefill(),
                run.days(),
                comparison.seeds(),
                comparison.seeds() == 1 ? "" : "s",
                run.seed(),
                run.batch().decisionTime(),
                run.service().decisionTime(),
                onePath(run));
    }

    private String onePath(RunParameters run) {
        boolean isOneTime = run.batch().decisionTime().equals(run.service().decisionTime());
        return isOneTime || !comparison.names().contains(ONE_PATH)
                ? ""
                : " The architecture " + ONE_PATH + " has that of service jobs for all jobs.";
    }

    private String table() {
        StringBuilder table = new StringBuilder("<table>\n<tr><th>architecture");
        for (ComparedFigure figure : ComparedFigure.values()) {
            table.append("<th title=\"")
                    .append(escaped(figure.title()))
                    .append("\">")
                    .append(heading(figure));
        }
        for (String name : comparison.names()) {
            table.append("\n<tr><td>").append(escaped(name));
            for (ComparedFigure figure : ComparedFigure.values()) {
                table.append("<td>")
                        .append(comparison
                                .value(name, figure)
                                .map(ComparisonPage::cell)
                                .orElse(""));
            }
        }
        return table.append("\n</table>\n").toString();
    }

    /** The spread goes below the mean, so that all columns fit a usual window. */
    private static String cell(ComparedValue value) {
        return ComparedValue.number(value.mean())
                + value.spread().map(said -> "<small>" + said + "</small>").orElse("");
    }

    private String howDrawn() {
        return comparison.seeds() == 1
                ? ""
                : "<p class=\"dim\">A bar is the mean over the seeds. The line over it goes from the least to the most of them, as"
                        + " the small numbers do.</p>\n";
    }

    private static String heading(ComparedFigure figure) {
        String unit = figure.unit().isEmpty() ? "" : ", " + figure.unit();
        return escaped(figure.heading().toLowerCase(Locale.ROOT) + unit);
    }

    private String charts() {
        StringBuilder charts = new StringBuilder();
        for (ComparedFigure figure : ComparedFigure.values()) {
            Map<String, ComparedValue> bars = new LinkedHashMap<>();
            comparison
                    .names()
                    .forEach(name -> comparison.value(name, figure).ifPresent(value -> bars.put(name, value)));
            BarChart chart = new BarChart(bars);
            charts.append("<figure><figcaption>")
                    .append(escaped(figure.title()))
                    .append(chart.isLogarithmic() ? " <span class=\"dim\">(logarithmic)</span>" : "")
                    .append("</figcaption>\n")
                    .append(chart.svg(figure.unit()))
                    .append("</figure>\n");
        }
        return charts.toString();
    }

    private String notes() {
        StringBuilder notes = new StringBuilder();
        for (String name : comparison.names()) {
            ArchitectureNote note = ArchitectureNote.of(name);
            notes.append("<dt>")
                    .append(escaped(name))
                    .append("<dd>")
                    .append(escaped(note.shows()))
                    .append("<br><span class=\"dim\">Left out: ")
                    .append(escaped(note.leavesOut()))
                    .append(" Conflicts: ")
                    .append(escaped(note.conflicts()))
                    .append("</span>\n");
        }
        return notes.toString();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
