/**
 * The policy of Megha (decentralised global scheduling over federated clusters): global masters that plan on stale views of all
 * workers, and local masters that verify each placement.
 *
 * <p>The live type is {@code MeghaScheduler}: {@code Cluster} has the partitions of one cell, whose transactions verify, and
 * {@code PoolShares} says who is below its share under contention.
 *
 * <p>The simulated one starts at {@link dev.cella.scheduler.batch.megha.GlobalMaster}. {@code LocalMaster} has the true state of its
 * workers, {@code WorkerBits} are the bit vectors of both, {@code Federation} numbers workers, masters and partitions, and
 * {@code UserShares} has each user's share.
 */
@NullMarked
package dev.cella.scheduler.batch.megha;

import org.jspecify.annotations.NullMarked;
