/**
 * Scheduling architectures in virtual time, over the same machines and the same work. The shared-state one uses the conflict
 * rule, loop and planners of the live system; the others are small packages. One seed gives one result, bit for bit.
 *
 * <p>Start reading at {@code engine.EventHeap}, then {@code workload.ExponentialStream} (what arrives), {@code
 * monolithic.MonolithicScheduler} (the simplest architecture), {@code offers.SimulatedAllocator} and
 * {@code replicated.ReplicatedCell} (the one that is Cella). {@code experiment} names the runs and figures; {@code sweep}
 * runs many at once, {@code files} reads traces and writes figures. Only these two use threads, clocks and disks. All
 * random draws come from seeds.
 *
 * <p>It may use the schedulers, {@code scheduling} without its {@code live}, and {@code transactions}.
 */
@NullMarked
package dev.cella.simulator;

import org.jspecify.annotations.NullMarked;
