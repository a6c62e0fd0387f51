package dev.cella.simulator.compare;

import java.util.Locale;
import java.util.Map;

/** One bar for each architecture, with a line over the spread of the seeds, as SVG within a page. */
final class BarChart {
    private static final int WIDTH = 460;
    private static final int LABELS = 150;
    private static final int VALUES = 90;
    private static final int BAR = 18;
    private static final int STEP = 24;
    private static final int TOP = 8;
    private static final double DECADE = 10;
    private static final double DECADES_MAX = 6;

    private final Map<String, ComparedValue> bars;

    /** Logarithmic if the values are further apart than a hundred times: then a bar's length counts decades. */
    private final boolean logarithmic;

    private final double most;
    private final double least;

    BarChart(Map<String, ComparedValue> bars) {
        this.bars = bars;
        this.most =
                bars.values().stream().mapToDouble(ComparedValue::most).max().orElse(0);
        double positive = bars.values().stream()
                .mapToDouble(ComparedValue::mean)
                .filter(value -> value > 0)
                .min()
                .orElse(1);
        this.least = Math.max(positive, most / Math.pow(DECADE, DECADES_MAX)) / DECADE;
        this.logarithmic = most > DECADE * DECADE * positive;
    }

    boolean isLogarithmic() {
        return logarithmic;
    }

    String svg(String unit) {
        int height = 2 * TOP + STEP * bars.size();
        StringBuilder svg = new StringBuilder(
                String.format(Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" role=\"img\">%n", WIDTH, height));
        int top = TOP;
        for (Map.Entry<String, ComparedValue> bar : bars.entrySet()) {
            draw(svg, bar.getKey(), bar.getValue(), unit, top);
            top += STEP;
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg, String name, ComparedValue value, String unit, int top) {
        double length = length(value.mean());
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                LABELS - 8,
                top + BAR - 4,
                ComparisonPage.escaped(name),
                LABELS,
                top,
                Math.max(1, length),
                BAR));
        if (value.most() > value.least()) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
                    LABELS + length(value.least()),
                    LABELS + length(value.most()),
                    top + BAR / 2,
                    top + BAR / 2));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
                LABELS + Math.max(length, length(value.most())) + 6,
                top + BAR - 4,
                (ComparedValue.number(value.mean()) + " " + unit).strip()));
    }

    private double length(double value) {
        double full = WIDTH - LABELS - VALUES;
        if (most <= 0 || value <= 0) {
            return 0;
        }
        double part = logarithmic ? Math.log(value / least) / Math.log(most / least) : value / most;
        return full * Math.max(0, part);
    }
}
