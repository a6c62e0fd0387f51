/**
 * Measurements. Start reading at {@code cell}, which measures a whole cell from outside for {@code cella bench}. {@code rule}
 * measures the cost of one claim in the common copy with JMH; only people who compile the benchmarks need it.
 */
@NullMarked
package dev.cella.bench;

import org.jspecify.annotations.NullMarked;
