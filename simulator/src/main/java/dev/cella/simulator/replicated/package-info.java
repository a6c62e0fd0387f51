/**
 * Replicated State Scheduling (dissertation chapter 6), Cella's own architecture, on the real classes: the cell with its
 * conflict rule, the loop, and any scheduler. Only time, arrivals and the ends of tasks are simulated. Start reading at {@link
 * dev.cella.simulator.replicated.ReplicatedCell}.
 *
 * <p>It may use {@code engine}, {@code workload}, {@code scheduling} and {@code transactions}.
 */
@NullMarked
package dev.cella.simulator.replicated;

import org.jspecify.annotations.NullMarked;
