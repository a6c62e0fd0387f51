/**
 * One scheduler for all work (dissertation chapter 3): single-path, where every job takes the same decision time, and
 * multi-path, where batch jobs have a faster one. Start reading at {@link
 * dev.cella.simulator.monolithic.MonolithicScheduler}.
 *
 * <p>It may use {@code engine} and {@code workload}.
 */
@NullMarked
package dev.cella.simulator.monolithic;

import org.jspecify.annotations.NullMarked;
