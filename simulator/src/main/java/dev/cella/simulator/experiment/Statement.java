package dev.cella.simulator.experiment;

import java.util.function.Function;

/** What the paper says of a figure, in its words or in ours about its curves, and how to see whether our runs say it too. */
record Statement(String text, String source, Function<FigureData, Finding> check) {}
