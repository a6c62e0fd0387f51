/**
 * Virtual time over the conflict rule, loop and planners of the live system, beside other architectures. Nothing is
 * built yet.
 *
 * <p>May use the schedulers, {@code scheduling} without its {@code live}, and {@code transactions}; neither clock,
 * threads nor unseeded randomness.
 */
@NullMarked
package dev.cella.simulator;

import org.jspecify.annotations.NullMarked;
