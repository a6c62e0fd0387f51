/**
 * Many runs at once, over the cores of the machine, each on one thread from its first event to its last; and how long they
 * took. Start reading at {@link dev.cella.simulator.sweep.Sweep}.
 *
 * <p>With {@code files} the only part of the simulator that knows the machine it runs on: threads and clocks are its
 * purpose, and nothing that a run decides depends on them. May use all of the simulator but {@code files}.
 */
@NullMarked
package dev.cella.simulator.sweep;

import org.jspecify.annotations.NullMarked;
