package dev.cella.simulator.sweep;

/** The finished fraction of a sweep, and the estimated rest of its time. */
public record Estimate(double fraction, double secondsLeft) {}
