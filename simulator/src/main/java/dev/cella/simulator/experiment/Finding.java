package dev.cella.simulator.experiment;

/** What was measured of a statement, and whether it agrees. */
record Finding(String measured, boolean agrees) {}
