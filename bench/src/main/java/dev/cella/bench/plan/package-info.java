/**
 * What a plan costs: {@link dev.cella.bench.plan.PlanBenchmark}.
 *
 * <p>May use everything it measures.
 */
@NullMarked
package dev.cella.bench.plan;

import org.jspecify.annotations.NullMarked;
