/**
 * The policy of Megha (decentralised global scheduling over federated clusters): global masters that plan on stale views of all
 * workers, and local masters that verify each placement. Pure classes, used by the simulated scheduler.
 *
 * <p>Start reading at {@link dev.cella.scheduler.batch.megha.GlobalMaster}. {@code LocalMaster} has the true state of its
 * workers, {@code WorkerBits} are the bit vectors of both, {@code Federation} numbers workers, masters and partitions, and
 * {@code UserShares} has each user's share.
 */
@NullMarked
package dev.cella.scheduler.batch.megha;

import org.jspecify.annotations.NullMarked;
