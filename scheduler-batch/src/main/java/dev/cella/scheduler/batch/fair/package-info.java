/**
 * Fair sharing among pools, with delay scheduling: Hadoop's fair scheduler (Zaharia et al., EuroSys 2010) on shared state.
 *
 * <p>Start reading at {@link dev.cella.scheduler.batch.fair.FairScheduler}. {@code PoolTree} decides which pool is next,
 * {@code GroupFilling} and {@code Delay} how near to its input a task is placed, {@code KillingTimeouts} which tasks end so
 * that a pool gets what it is due.
 */
@NullMarked
package dev.cella.scheduler.batch.fair;

import org.jspecify.annotations.NullMarked;
