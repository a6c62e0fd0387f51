/**
 * What can be asked of the simulator: the architectures by name, the figures of the dissertation as series of runs, what
 * theory says about them, and results as text. Start reading at {@link dev.cella.simulator.experiment.Experiments}.
 *
 * <p>May use the architectures and what they use; makes text and leaves writing it to {@code files}.
 */
@NullMarked
package dev.cella.simulator.experiment;

import org.jspecify.annotations.NullMarked;
