package dev.cella.state.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Time series in bounded memory: one point per second for the last ten minutes, one per ten seconds for three hours, one per
 * minute for two days. A coarse point is the mean of the finer ones.
 *
 * <p>An unknown value is {@link Double#NaN}. Guarded by {@link CellHistory}.
 */
public final class Series {
    /** The series, with their units. */
    public enum Name {
        PLACEMENTS("1/s"),
        CONFLICTS("1/s"),
        PENDING("tasks"),
        RUNNING("tasks"),
        UTILISATION("fraction"),
        LATENCY("s");

        private final String unit;

        Name(String unit) {
            this.unit = unit;
        }

        public String unit() {
            return unit;
        }
    }

    /**
     * The values at the end of a step of time, in the order of the names; {@code version} is the cell's version then.
     */
    public record Point(long atMillis, long version, List<Double> values) {
        public Point {
            values = List.copyOf(values);
        }

        @SuppressWarnings("EnumOrdinal") // the values stand in the order of the names
        public double value(Name name) {
            return values.get(name.ordinal());
        }
    }

    /** Points with one distance. */
    private static final class Level {
        final long stepMillis;
        final int pointsMax;
        final Deque<Point> points = new ArrayDeque<>();
        private final List<Point> open = new ArrayList<>();

        Level(long stepMillis, int pointsMax) {
            this.stepMillis = stepMillis;
            this.pointsMax = pointsMax;
        }

        void add(Point point) {
            if (!open.isEmpty() && open.get(0).atMillis() / stepMillis != point.atMillis() / stepMillis) {
                keep(mean(open));
                open.clear();
            }
            open.add(point);
        }

        /** Drops the points of a time that comes again. */
        void dropFrom(long millis) {
            open.removeIf(point -> point.atMillis() >= millis);
            points.removeIf(point -> point.atMillis() >= millis);
        }

        private void keep(Point point) {
            points.addLast(point);
            if (points.size() > pointsMax) {
                points.removeFirst();
            }
        }

        long reachMillis() {
            return stepMillis * pointsMax;
        }
    }

    private static final int POINTS_ASKED_MAX = 1_000;

    private final List<Level> levels =
            List.of(new Level(1_000, 600), new Level(10_000, 1_080), new Level(60_000, 2_880));

    private long lastMillis = Long.MIN_VALUE;

    /** If the clock was set back, the later points are dropped, so that the times of a series always grow. */
    void add(Point point) {
        if (point.atMillis() < lastMillis) {
            levels.forEach(level -> level.dropFrom(point.atMillis()));
        }
        lastMillis = point.atMillis();
        levels.forEach(level -> level.add(point));
    }

    private static Point mean(List<Point> points) {
        Point last = points.get(points.size() - 1);
        List<Double> mean = Arrays.stream(Name.values())
                .map(name -> points.stream()
                        .mapToDouble(point -> point.value(name))
                        .filter(value -> !Double.isNaN(value))
                        .average()
                        .orElse(Double.NaN))
                .toList();
        return new Point(last.atMillis(), last.version(), mean);
    }

    /** The points in a stretch of time, as fine as they are kept and as fit into an answer. */
    Answer in(long fromMillis, long toMillis, long nowMillis) {
        Level level = levels.get(levels.size() - 1);
        for (Level finer : levels) {
            boolean reaches = nowMillis - fromMillis <= finer.reachMillis();
            if (reaches && (toMillis - fromMillis) / finer.stepMillis <= POINTS_ASKED_MAX) {
                level = finer;
                break;
            }
        }
        List<Point> points = level.points.stream()
                .filter(point -> point.atMillis() >= fromMillis && point.atMillis() <= toMillis)
                .toList();
        return new Answer(level.stepMillis, points);
    }

    public record Answer(long stepMillis, List<Point> points) {
        public Answer {
            points = List.copyOf(points);
        }
    }

    /** The version of the cell at about that time: that of the last point that is not later. */
    long versionAt(long millis) {
        List<Point> all = new ArrayList<>();
        levels.forEach(level -> all.addAll(level.points));
        return all.stream()
                .filter(point -> point.atMillis() <= millis)
                .mapToLong(Point::version)
                .max()
                .orElse(0);
    }
}
