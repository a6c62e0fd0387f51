/**
 * Schedulers beside each other over one cell in virtual time, drawn from a seed: what must hold whatever the seed.
 *
 * <p>Start reading at {@link dev.cella.chaos.simulated.SimulatedWorld}.
 */
@NullMarked
package dev.cella.chaos.simulated;

import org.jspecify.annotations.NullMarked;
