/**
 * {@code cella compare}: one workload through every architecture, as a table, as JSON, and as a page with charts. Start
 * reading at {@link dev.cella.simulator.compare.Comparison}.
 *
 * <p>It may use {@code engine} and {@code workload}.
 */
@NullMarked
package dev.cella.simulator.compare;

import org.jspecify.annotations.NullMarked;
