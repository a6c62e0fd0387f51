/**
 * The allocator of two-level scheduling: it offers machines to other schedulers, by dominant resource fairness or by lottery
 * (dissertation, chapter 4).
 *
 * <p>Start reading at {@link dev.cella.scheduler.service.offers.OffersScheduler}. {@code Frameworks} reads the participants
 * from a cell, {@code Allocation} divides what is free, {@code Revocation} takes back what another role is guaranteed. {@code
 * NextFramework} is the same rule for the simulator.
 */
@NullMarked
package dev.cella.scheduler.service.offers;

import org.jspecify.annotations.NullMarked;
