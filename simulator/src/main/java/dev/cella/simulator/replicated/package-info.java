/**
 * Replicated State Scheduling (dissertation chapter 6), which is what Cella does, on the classes that do it: the cell with
 * its conflict rule, the loop, and any scheduler. Only time, arrivals and the ends of tasks are simulated. Start reading
 * at {@link dev.cella.simulator.replicated.ReplicatedCell}.
 *
 * <p>May use {@code engine}, {@code workload}, {@code scheduling} and {@code transactions}.
 */
@NullMarked
package dev.cella.simulator.replicated;

import org.jspecify.annotations.NullMarked;
