/**
 * Architectures whose tasks wait in the queues of machines: Apollo, which plans on what machines report, and Sparrow, which
 * probes. Both use the policies of {@code dev.cella.scheduler.batch}. Start reading at {@link
 * dev.cella.simulator.queues.SparrowCell}.
 *
 * <p>It may use {@code engine}, {@code workload} and the batch schedulers.
 */
@NullMarked
package dev.cella.simulator.queues;

import org.jspecify.annotations.NullMarked;
