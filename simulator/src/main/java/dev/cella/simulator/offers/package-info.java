/**
 * Two-level scheduling (dissertation chapter 4): an allocator offers all that is free to one framework at a time, by the code
 * of the scheduler type {@code offers}. Start reading at {@link dev.cella.simulator.offers.SimulatedAllocator}.
 *
 * <p>It may use {@code engine}, {@code workload} and {@code scheduler-service}.
 */
@NullMarked
package dev.cella.simulator.offers;

import org.jspecify.annotations.NullMarked;
