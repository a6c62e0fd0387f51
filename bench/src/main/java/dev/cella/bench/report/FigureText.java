package dev.cella.bench.report;

import java.util.Locale;

/** Figures as the page and its charts print them: three significant digits where that is enough. */
final class FigureText {
    private static final double WHOLE = 100;
    private static final double TENTHS = 10;

    private FigureText() {}

    static String of(double figure) {
        double size = Math.abs(figure);
        String form = size >= WHOLE || figure == Math.rint(figure) ? "%,.0f" : size >= TENTHS ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, figure);
    }
}
