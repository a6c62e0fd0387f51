package dev.cella.simulator.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A line chart in SVG, which needs nothing that has to be installed. Its colours follow the reader's choice of a light or a dark
 * page. The x axis is logarithmic, or linear if a point is at 0.
 */
public final class LineChart {
    private static final List<String> COLOURS = List.of(
            "#1b6ca8", "#c8553d", "#3a7d44", "#7d4f9e", "#b8860b", "#2a9d8f", "#d1495b", "#475569", "#8d6e63",
            "#0b3954", "#e07a5f", "#6a994e");
    private static final List<String> COLOURS_ON_DARK = List.of(
            "#6cb2ea", "#f0917b", "#7cc98a", "#c49be2", "#e6b93f", "#5fd0c2", "#f58a98", "#a9b6c9", "#c9a89c",
            "#8fd3ff", "#f7b29d", "#a9d68c");
    private static final String REFERENCE = "reference";
    private static final int WIDTH = 820;
    private static final int HEIGHT_MIN = 420;
    private static final int LEFT = 84;
    private static final int RIGHT = 280;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final int LEGEND_LINE = 18;
    private static final int LINEAR_TICKS = 5;
    private static final double TINY = 0.05;
    private static final double[] ROUND = {1, 2, 2.5, 4, 5};

    private static final double MARKER = 4;

    /** From the smallest to the largest of the values behind a point. */
    public record Spread(double least, double most) {}

    /** A point of a line, with the bar that is drawn at it. */
    private record Point(double x, double y, Optional<Spread> spread) {
        /** The upper end of the bar at the point. */
        double top() {
            return Math.max(y, spread.map(Spread::most).orElse(y));
        }
    }

    /** Shapes that differ without colour. */
    private enum Marker {
        CIRCLE("<circle cx=\"%1$.1f\" cy=\"%2$.1f\" r=\"%3$.1f\"", ""),
        SQUARE("<path d=\"M%1$.1f,%2$.1f", "m-4,-4h8v8h-8z"),
        TRIANGLE("<path d=\"M%1$.1f,%2$.1f", "m0,-5l5,9h-10z"),
        DIAMOND("<path d=\"M%1$.1f,%2$.1f", "m0,-5l5,5l-5,5l-5,-5z"),
        CROSS("<path d=\"M%1$.1f,%2$.1f", "m-4,-4l8,8m0,-8l-8,8"),
        PLUS("<path d=\"M%1$.1f,%2$.1f", "m-5,0h10m-5,-5v10"),
        DOWNWARD("<path d=\"M%1$.1f,%2$.1f", "m0,5l5,-9h-10z"),
        NONE("", "");

        private final String begin;
        private final String path;

        Marker(String begin, String path) {
            this.begin = begin;
            this.path = path;
        }

        String at(double x, double y, boolean filled) {
            if (this == NONE) {
                return "";
            }
            String end = this == CIRCLE ? "" : path + "\"";
            return String.format(Locale.ROOT, begin, x, y, MARKER)
                    + end
                    + (filled ? "" : " class=\"ground\"")
                    + " stroke=\"currentColor\" stroke-width=\"1.5\"/>\n";
        }

        /** By place; after the last one they repeat. */
        static Marker of(int place) {
            Marker[] shapes = values();
            return shapes[place % (shapes.length - 1)];
        }
    }

    /** One line; points in the order of their x. */
    public static final class Line {
        private final String label;
        private final String style;
        private final boolean dashed;
        private final Marker marker;
        private final List<Point> points = new ArrayList<>();

        private Line(String label, String style, boolean dashed, Marker marker) {
            this.label = label;
            this.style = style;
            this.dashed = dashed;
            this.marker = marker;
        }

        public void add(double x, double y, Optional<Spread> spread) {
            points.add(new Point(x, y, spread));
        }
    }

    /** Maps a value to a place between 0 and 1. */
    private record Scale(boolean logarithmic, double min, double max) {
        double place(double value) {
            return logarithmic ? Math.log10(value / min) / Math.log10(max / min) : (value - min) / (max - min);
        }

        List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            if (logarithmic) {
                for (double tick = min; tick <= max * 1.001; tick *= 10) {
                    ticks.add(tick);
                }
            } else {
                for (int i = 0; i <= LINEAR_TICKS; i++) {
                    ticks.add(min + (max - min) * i / LINEAR_TICKS);
                }
            }
            return ticks;
        }
    }

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final boolean logarithmic;
    private final List<Line> lines = new ArrayList<>();
    private int height = HEIGHT_MIN;

    /**
     * An empty chart.
     *
     * @param logarithmic whether the y axis is
     */
    public LineChart(String title, String xLabel, String yLabel, boolean logarithmic) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
        this.logarithmic = logarithmic;
    }

    /** Lines with the same place have one colour and one marker; the secondary one is dashed with hollow markers. */
    public Line line(String label, int place, boolean secondary) {
        return add(new Line(label, "line" + place % COLOURS.size(), secondary, Marker.of(place)));
    }

    /** The line for comparison: grey, without markers. */
    public Line reference(String label) {
        return add(new Line(label, REFERENCE, false, Marker.NONE));
    }

    private Line add(Line line) {
        lines.add(line);
        return line;
    }

    /** As high as the legend needs. */
    public String svg() {
        height = Math.max(HEIGHT_MIN, TOP + BOTTOM + LEGEND_LINE * lines.size());
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\" role=\"img\">%n",
                WIDTH,
                height));
        svg.append(style()).append("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
        text(svg, LEFT, TOP - 16, "start", "<tspan font-weight=\"bold\">" + escaped(title) + "</tspan>");
        Scale x = isAnyAtZero() ? linearScale(Point::x) : logarithmicScale(Point::x, Point::x);
        Scale y = logarithmic ? logarithmicScale(Point::y, Point::top) : linearScale(Point::top);
        drawAxes(svg, x, y);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), x, y, TOP + LEGEND_LINE * i);
        }
        return svg.append("</svg>\n").toString();
    }

    private static String style() {
        return "<style>\n" + style(COLOURS, "#ffffff", "#1c2534", "#dddddd", "#9aa5b1")
                + "@media (prefers-color-scheme: dark) {\n"
                + style(COLOURS_ON_DARK, "#0f141c", "#e6ebf4", "#2f3947", "#7a8698") + "}\n</style>\n";
    }

    private static String style(List<String> colours, String ground, String text, String grid, String reference) {
        StringBuilder style = new StringBuilder(String.format(
                Locale.ROOT,
                ".ground { fill: %s }%ntext { fill: %s }%n.grid { stroke: %s }%n.%s { color: %s }%n",
                ground,
                text,
                grid,
                REFERENCE,
                reference));
        for (int place = 0; place < colours.size(); place++) {
            style.append(String.format(Locale.ROOT, ".line%d { color: %s }%n", place, colours.get(place)));
        }
        return style.toString();
    }

    /** Whole decades around all positive values, up to the highest top. */
    private Scale logarithmicScale(ToDoubleFunction<Point> of, ToDoubleFunction<Point> top) {
        double min = lines.stream()
                .flatMap(line -> line.points.stream())
                .mapToDouble(of)
                .filter(value -> value > 0)
                .min()
                .orElse(1);
        double low = Math.pow(10, Math.floor(Math.log10(min)));
        double high = Math.pow(10, Math.ceil(Math.log10(Math.max(max(top), low * 10))));
        return new Scale(true, low, high);
    }

    private boolean isAnyAtZero() {
        return lines.stream().flatMap(line -> line.points.stream()).anyMatch(point -> point.x <= 0);
    }

    /** From 0 to a round number. Parts end at 1, unless all of them are so small that their lines would lie on the axis. */
    private Scale linearScale(ToDoubleFunction<Point> of) {
        double max = max(of);
        boolean isTiny = max > 0 && max < TINY;
        return new Scale(false, 0, isTiny ? round(max) : Math.max(1, round(max)));
    }

    /** The next number whose fifths are short. */
    private static double round(double value) {
        if (value <= 0) {
            return 0;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : ROUND) {
            if (value <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private double max(ToDoubleFunction<Point> of) {
        return lines.stream()
                .flatMap(line -> line.points.stream())
                .mapToDouble(of)
                .max()
                .orElse(1);
    }

    private void drawAxes(StringBuilder svg, Scale x, Scale y) {
        for (double tick : x.ticks()) {
            double at = left(x, tick);
            stroke(svg, at, TOP, at, height - BOTTOM);
            text(svg, at, height - BOTTOM + 18, "middle", number(tick));
        }
        for (double tick : y.ticks()) {
            double at = top(y, tick);
            stroke(svg, LEFT, at, WIDTH - RIGHT, at);
            text(svg, LEFT - 8, at + 4, "end", number(tick));
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, height - 10, "middle", escaped(xLabel));
        svg.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(16,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
                (TOP + height - BOTTOM) / 2,
                escaped(yLabel)));
    }

    private void draw(StringBuilder svg, Line line, Scale x, Scale y, int legendTop) {
        String dash = line.dashed ? " stroke-dasharray=\"5 4\"" : "";
        StringBuilder path = new StringBuilder();
        for (Point point : line.points) {
            if (!logarithmic || point.y > 0) {
                path.append(String.format(Locale.ROOT, "%.1f,%.1f ", left(x, point.x), top(y, point.y)));
            }
        }
        svg.append(String.format(
                Locale.ROOT,
                "<g class=\"%s\" fill=\"currentColor\">%n<polyline points=\"%s\" fill=\"none\" stroke=\"currentColor\""
                        + " stroke-width=\"2\"%s/>%n",
                line.style,
                path.toString().strip(),
                dash));
        for (Point point : line.points) {
            if (!logarithmic || point.y > 0) {
                point.spread
                        .filter(spread -> !logarithmic || spread.least() > 0)
                        .ifPresent(spread -> svg.append(String.format(
                                Locale.ROOT,
                                "<line x1=\"%1$.1f\" y1=\"%2$.1f\" x2=\"%1$.1f\" y2=\"%3$.1f\" stroke=\"currentColor\"/>%n",
                                left(x, point.x),
                                top(y, spread.least()),
                                top(y, spread.most()))));
                svg.append(line.marker.at(left(x, point.x), top(y, point.y), !line.dashed));
            }
        }
        int legend = WIDTH - RIGHT + 16;
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"currentColor\" stroke-width=\"2\"%s/>%n",
                legend,
                legendTop,
                legend + 24,
                legendTop,
                dash));
        svg.append(line.marker.at(legend + 12, legendTop, !line.dashed)).append("</g>\n");
        text(svg, legend + 30, legendTop + 4, "start", escaped(line.label));
    }

    private static double left(Scale x, double value) {
        return LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double top(Scale y, double value) {
        return height - BOTTOM - y.place(value) * (height - TOP - BOTTOM);
    }

    private static void stroke(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String content) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, content));
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%,.6f", value);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
