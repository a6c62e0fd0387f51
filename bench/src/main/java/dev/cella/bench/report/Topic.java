package dev.cella.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * The figures that belong together in the page.
 *
 * @param chart the unit of the rows that its chart shows
 * @param why where the finish lines come from; empty if the rows say enough
 * @param curves its other charts
 */
record Topic(String title, String chart, List<MeasuredRow> rows, String why, List<MeasuredCurves> curves) {
    Topic {
        rows = List.copyOf(rows);
        curves = List.copyOf(curves);
    }

    /** One without curves. */
    Topic(String title, String chart, List<MeasuredRow> rows) {
        this(title, chart, rows, "", List.of());
    }

    /** Its chart's file. */
    String chartFile() {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
    }

    /** Each once, in the order of the rows. */
    List<RunSource> sources() {
        return rows.stream().map(MeasuredRow::source).distinct().toList();
    }
}
