package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.RunParameters;

/** One run of a figure: its place on the x axis, and the line it belongs to. */
public record FigurePoint(String series, double x, RunParameters parameters) {}
