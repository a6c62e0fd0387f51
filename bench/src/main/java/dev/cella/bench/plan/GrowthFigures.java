package dev.cella.bench.plan;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;

/**
 * What each part costs in a cell of that size.
 *
 * @param micros of the CPU, for one unit of the part
 */
public record GrowthFigures(int machines, int tasks, Map<Part, Double> micros) {
    /** The parts of a cell whose cost is measured. */
    public enum Part {
        /** A claim committed. */
        COMMIT,
        /** A claim applied to a private copy. */
        FEED,
        /** A placement planned, with three constraints and a spread. */
        PLAN,
        /** A pending job explained in a full cell. */
        EXPLAIN,
        /** The time that a list of all machines and one of all tasks take from commits. */
        LISTS,
        /** A checkpoint loaded. */
        RESTART
    }

    public GrowthFigures {
        micros = new EnumMap<>(micros);
    }

    /** The cost of one unit of the part in this cell, in microseconds of the CPU. */
    public double microsOf(Part part) {
        return Objects.requireNonNull(micros.get(part));
    }

    /** The lower cost of each part, of two measurements of the same cell. */
    public GrowthFigures best(GrowthFigures again) {
        Map<Part, Double> lower = new EnumMap<>(micros);
        again.micros.forEach((part, cost) -> lower.merge(part, cost, Math::min));
        return new GrowthFigures(machines, tasks, lower);
    }

    /**
     * The exponent of a part's growth over these cells: the slope of a line through the logarithms, by least squares. At 0 it
     * costs the same in each cell, at 1 it grows as the cell does.
     */
    public static double exponent(List<GrowthFigures> cells, Part part, ToIntFunction<GrowthFigures> size) {
        double meanX = cells.stream()
                .mapToDouble(cell -> Math.log(size.applyAsInt(cell)))
                .average()
                .orElse(0);
        double meanY = cells.stream()
                .mapToDouble(cell -> Math.log(cell.microsOf(part)))
                .average()
                .orElse(0);
        double products = 0;
        double squares = 0;
        for (GrowthFigures cell : cells) {
            double x = Math.log(size.applyAsInt(cell)) - meanX;
            products += x * (Math.log(cell.microsOf(part)) - meanY);
            squares += x * x;
        }
        return squares == 0 ? 0 : products / squares;
    }

    /** The same between the two largest cells: a part that has a fixed cost shows its growth only there. */
    public static double exponentAtTheEnd(List<GrowthFigures> cells, Part part, ToIntFunction<GrowthFigures> size) {
        List<GrowthFigures> bySize =
                cells.stream().sorted(Comparator.comparingInt(size)).toList();
        return exponent(bySize.subList(bySize.size() - 2, bySize.size()), part, size);
    }
}
