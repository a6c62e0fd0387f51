package dev.cella.simulator.sweep;

/** So much of a sweep is done, and so much time it will take yet. */
public record Estimate(double fraction, double secondsLeft) {}
