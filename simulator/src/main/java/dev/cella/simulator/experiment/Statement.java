package dev.cella.simulator.experiment;

import java.util.function.Function;

/**
 * A statement of the paper about a figure, in its words or in ours about its curves, and the check whether our runs agree.
 */
record Statement(String text, String source, Function<FigureData, Finding> check) {}
