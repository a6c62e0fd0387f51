package dev.cella.bench.report;

import java.util.List;

/** A figure over several runs. */
record FigureSpread(double least, double median, double most, int runs) {
    /**
     * The spread of at least one figure.
     *
     * @param runs from which the figures are; a run may have several
     */
    static FigureSpread of(List<Double> figures, int runs) {
        List<Double> sorted = figures.stream().sorted().toList();
        double median = (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
        return new FigureSpread(sorted.get(0), median, sorted.get(sorted.size() - 1), runs);
    }
}
