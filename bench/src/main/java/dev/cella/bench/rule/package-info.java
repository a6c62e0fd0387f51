/**
 * What the conflict rule and its apply cost: {@link dev.cella.bench.rule.CommitBenchmark}.
 *
 * <p>May use {@code transactions} and JMH.
 */
@NullMarked
package dev.cella.bench.rule;

import org.jspecify.annotations.NullMarked;
