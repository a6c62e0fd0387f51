package dev.cella.simulator.engine;

import java.util.OptionalDouble;

/**
 * How near to its block each task was placed, of the tasks that read one, and how long their jobs took.
 *
 * @param node the part of them that was on a machine with its block
 * @param rack the part that was in a rack with its block, but on no machine with it
 * @param any the rest
 * @param meanResponseSeconds from a job's submission to the end of its last task
 * @param finishedSeconds when the last of these jobs ended; empty when not all did
 */
public record InputStats(
        long tasks,
        double node,
        double rack,
        double any,
        OptionalDouble meanResponseSeconds,
        OptionalDouble finishedSeconds) {}
