/**
 * How long tasks wait in the queue of a machine: its agent computes a matrix by size of task, and planners read it. Soft facts;
 * no commit uses them.
 *
 * <p>Start reading at {@link dev.cella.transactions.waits.WaitMatrix}. {@code QueueForecast} computes one.
 *
 * <p>It uses nothing but the JDK.
 */
@NullMarked
package dev.cella.transactions.waits;

import org.jspecify.annotations.NullMarked;
