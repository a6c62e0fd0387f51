/**
 * Megha: global masters with stale views over local masters that verify, by the policy of {@code
 * dev.cella.scheduler.batch.megha}. Start reading at {@link dev.cella.simulator.megha.MeghaCell}.
 *
 * <p>It may use {@code engine}, {@code workload} and the batch schedulers.
 */
@NullMarked
package dev.cella.simulator.megha;

import org.jspecify.annotations.NullMarked;
