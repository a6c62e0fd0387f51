package dev.cella.simulator.experiment;

import java.util.List;

/** One chart of a figure: these metrics of every line. */
record Panel(String name, String title, String yLabel, boolean logarithmic, List<FigureMetric> metrics) {}
