/**
 * The policy of Sparrow (Ousterhout et al., SOSP 2013): probes to machines at random, and tasks that are bound to a machine
 * only when it has room. The type {@code sparrow} and the simulated scheduler share
 * {@link dev.cella.scheduler.batch.sparrow.BatchSampling}.
 *
 * <p>Start reading at {@link dev.cella.scheduler.batch.sparrow.LateBinding}, which the simulator uses, and at {@code
 * SparrowPlanner}, which runs live.
 */
@NullMarked
package dev.cella.scheduler.batch.sparrow;

import org.jspecify.annotations.NullMarked;
