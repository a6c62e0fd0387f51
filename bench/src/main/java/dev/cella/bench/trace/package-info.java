/**
 * The cost of one trace in every simulated architecture, as {@code cella compare} runs it. Start reading at
 * {@link dev.cella.bench.trace.TraceBench}.
 */
@NullMarked
package dev.cella.bench.trace;

import org.jspecify.annotations.NullMarked;
