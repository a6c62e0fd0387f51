/**
 * What the host of a scheduler gives a plan: what is in flight, what the plan looks things up in, and what its transactions
 * have in common. Authors of schedulers do not see these types; a {@code PlanningView} answers for them.
 *
 * <p>Start reading at {@link dev.cella.scheduling.host.Commitments} and {@link dev.cella.scheduling.host.Surroundings}.
 *
 * <p>It may use {@code placement} and {@code transactions}. Its classes read no clock, start no thread and do no I/O.
 */
@NullMarked
package dev.cella.scheduling.host;

import org.jspecify.annotations.NullMarked;
