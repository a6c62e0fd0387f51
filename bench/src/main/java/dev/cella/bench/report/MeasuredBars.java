package dev.cella.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One bar for each figure of a topic, with a line over its spread and a mark at its finish line, as an SVG of its own. */
final class MeasuredBars {
    private static final int WIDTH = 860;
    private static final int LABELS = 400;
    private static final int VALUES = 90;
    private static final int BAR = 16;
    private static final int STEP = 26;
    private static final int TOP = 44;

    private static final String STYLE = """
          <style>
            svg { font: 13px ui-sans-serif, system-ui, "Helvetica Neue", Arial, sans-serif }
            .ground { fill: #ffffff }
            .bar { fill: #2764c4 }
            .spread { stroke: #1c2534; stroke-width: 1.5 }
            .goal { stroke: #c2571a; stroke-width: 2; stroke-dasharray: 4 2 }
            text { fill: #1c2534 }
            .title { font-weight: 700 }
            .small { fill: #56627a }
            @media (prefers-color-scheme: dark) {
              .ground { fill: #0f141c }
              .bar { fill: #6ea8ff }
              .spread { stroke: #e6ebf4 }
              .goal { stroke: #f08c4b }
              text { fill: #e6ebf4 }
              .small { fill: #a3afc4 }
            }
          </style>
        """;

    private record Bar(String label, FigureSpread spread, Optional<Goal> goal) {
        double most() {
            return Math.max(spread.most(), goal.map(Goal::toReach).orElse(0.0));
        }
    }

    private final String title;
    private final String unit;
    private final List<Bar> bars = new ArrayList<>();

    MeasuredBars(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    void add(String label, FigureSpread spread, Optional<Goal> goal) {
        bars.add(new Bar(label, spread, goal));
    }

    boolean isWorthDrawing() {
        return bars.size() > 1;
    }

    String svg() {
        int height = TOP + STEP * bars.size() + STEP / 2;
        double most = bars.stream().mapToDouble(Bar::most).max().orElse(1);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n",
                WIDTH,
                height));
        svg.append(STYLE);
        svg.append(
                String.format(Locale.ROOT, "  <rect class=\"ground\" width=\"%d\" height=\"%d\"/>%n", WIDTH, height));
        svg.append(String.format(
                Locale.ROOT,
                "  <text class=\"title\" x=\"12\" y=\"24\">%s, %s<tspan class=\"small\" dx=\"12\">dashed: to reach</tspan></text>%n",
                escaped(title),
                escaped(unit)));
        int top = TOP;
        for (Bar bar : bars) {
            draw(svg, bar, most, top);
            top += STEP;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void draw(StringBuilder svg, Bar bar, double most, int top) {
        double end = x(bar.spread.median(), most);
        svg.append(String.format(
                Locale.ROOT,
                "  <text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
                        + "  <rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                LABELS - 8,
                top + BAR - 3,
                escaped(bar.label),
                LABELS,
                top,
                Math.max(1, end - LABELS),
                BAR));
        if (bar.spread.most() > bar.spread.least()) {
            line(svg, "spread", x(bar.spread.least(), most), x(bar.spread.most(), most), top + BAR / 2, top + BAR / 2);
        }
        bar.goal.ifPresent(goal -> {
            double at = x(goal.toReach(), most);
            line(svg, "goal", at, at, top - 3, top + BAR + 3);
        });
        svg.append(String.format(
                Locale.ROOT,
                "  <text x=\"%.1f\" y=\"%d\">%s</text>%n",
                x(bar.most(), most) + 6,
                top + BAR - 3,
                FigureText.of(bar.spread.median())));
    }

    /** A figure below 0, such as the exponent of a cost that falls, has a bar of its least width. */
    private static double x(double value, double most) {
        return LABELS + (most <= 0 ? 0 : (WIDTH - LABELS - VALUES) * Math.max(0, value) / most);
    }

    private static void line(StringBuilder svg, String kind, double x1, double x2, int y1, int y2) {
        svg.append(String.format(
                Locale.ROOT,
                "  <line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>%n",
                kind,
                x1,
                x2,
                y1,
                y2));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
