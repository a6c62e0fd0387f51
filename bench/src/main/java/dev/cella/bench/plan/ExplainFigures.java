package dev.cella.bench.plan;

/** How long explanations of a pending job took in a cell with that many machines and tasks, in seconds. */
public record ExplainFigures(int machines, int tasks, double medianSeconds, double maxSeconds) {}
