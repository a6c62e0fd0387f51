/** The cost of a plan: {@link dev.cella.bench.plan.PlanBenchmark}, and with evictions {@link dev.cella.bench.plan.EvictionsBench}. */
@NullMarked
package dev.cella.bench.plan;

import org.jspecify.annotations.NullMarked;
