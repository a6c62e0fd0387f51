/** The cost of the conflict rule and of applying it: {@link dev.cella.bench.rule.CommitBenchmark}. */
@NullMarked
package dev.cella.bench.rule;

import org.jspecify.annotations.NullMarked;
