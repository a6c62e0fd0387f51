/**
 * Many runs at once, over the cores of the machine, each on one thread from its first event to its last, with their times.
 * Start reading at {@link dev.cella.simulator.sweep.Sweep}.
 *
 * <p>Only this package and {@code files} know the real machine: threads and clocks are its purpose, and no decision of a run
 * depends on them. It may use all of the simulator but {@code files}.
 */
@NullMarked
package dev.cella.simulator.sweep;

import org.jspecify.annotations.NullMarked;
