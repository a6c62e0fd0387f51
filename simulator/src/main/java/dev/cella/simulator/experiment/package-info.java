/**
 * The simulator's front: the architectures by name, the figures of the dissertation as series of runs, the theory about them,
 * and results as text. Start reading at {@link dev.cella.simulator.experiment.Experiments}.
 *
 * <p>It may use the architectures and what they use. It makes text; {@code files} writes it.
 */
@NullMarked
package dev.cella.simulator.experiment;

import org.jspecify.annotations.NullMarked;
