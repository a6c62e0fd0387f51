/**
 * For authors of schedulers: the properties that every scheduler must have, as checks that a test runs with one line, and a
 * cell in memory to try a policy on. Start reading at {@link dev.cella.scheduling.conformance.ConformanceKit}; the cell is
 * {@link dev.cella.scheduling.conformance.SampleCell}.
 *
 * <p>Uses no test library: a check that fails throws an {@link java.lang.AssertionError}. It may use {@code dev.cella.scheduling}
 * and its {@code loop}, and {@code transactions}. Its classes read no clock, start no thread and do no I/O.
 * A running plug-in does not see it.
 */
@NullMarked
package dev.cella.scheduling.conformance;

import org.jspecify.annotations.NullMarked;
