package dev.cella.bench.report;

import java.util.Locale;

/**
 * A part of the cell in the runs of {@code cella bench growth}.
 *
 * @param name of its fields in a run
 */
record GrowingPart(String what, String name, Growth growth) {
    private static final String EXPONENT = "exponent";
    private static final String MICROS = "us";

    /** How a part may grow with the cell. */
    enum Growth {
        /** It looks at a fixed number of rows: all sizes count. */
        HARDLY(0.2),
        /** It looks at every row once. Its fixed cost hides that in small cells, so the two largest sizes count. */
        AS_THE_CELL(1.1);

        private final double exponentMax;

        Growth(double exponentMax) {
            this.exponentMax = exponentMax;
        }
    }

    /** The exponent that is judged. */
    MeasuredRow judged(RunSource runs, String size) {
        MeasuredRow row = switch (growth) {
            case HARDLY -> exponent(runs, size);
            case AS_THE_CELL ->
                MeasuredRow.of(what + ", by " + size + ", at the end", runs, size + "LastStep." + name, EXPONENT);
        };
        return row.with(Goal.atMost(growth.exponentMax));
    }

    private MeasuredRow exponent(RunSource runs, String size) {
        return MeasuredRow.of(what + ", by " + size, runs, size + "Exponents." + name, EXPONENT);
    }

    /** The cost in the cell of that size. */
    MeasuredRow cost(RunSource runs, String size, int cell) {
        String figure = size + "[" + size + "=" + cell + "]." + name + "Micros";
        return MeasuredRow.of(String.format(Locale.ROOT, "%s, %,d %s", what, cell, size), runs, figure, MICROS);
    }

    MeasuredCurves.Curve curve(RunSource runs, String size) {
        return new MeasuredCurves.Curve(
                MeasuredRow.of(what, runs, size + "." + name + "Micros", MICROS), exponent(runs, size));
    }
}
