/**
 * The policy of Sparrow (Ousterhout et al., SOSP 2013): probes to machines at random, and tasks that are bound to a machine only
 * when it has room. Pure classes, used by the simulated scheduler.
 *
 * <p>Start reading at {@link dev.cella.scheduler.batch.sparrow.LateBinding}.
 */
@NullMarked
package dev.cella.scheduler.batch.sparrow;

import org.jspecify.annotations.NullMarked;
