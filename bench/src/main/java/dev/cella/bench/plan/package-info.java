/**
 * The cost of a plan: {@link dev.cella.bench.plan.PlanBenchmark}, with evictions {@link dev.cella.bench.plan.EvictionsBench}, and
 * of type {@code apollo} {@link dev.cella.bench.plan.MatchBench}.
 */
@NullMarked
package dev.cella.bench.plan;

import org.jspecify.annotations.NullMarked;
