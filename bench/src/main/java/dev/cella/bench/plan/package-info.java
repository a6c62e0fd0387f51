/** The cost of a plan: {@link dev.cella.bench.plan.PlanBenchmark}. */
@NullMarked
package dev.cella.bench.plan;

import org.jspecify.annotations.NullMarked;
