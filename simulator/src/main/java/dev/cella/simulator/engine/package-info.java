/**
 * The parts that all architectures share: virtual time, machines as bare arrays, decision times, parameters and statistics.
 * Start reading at {@link dev.cella.simulator.engine.EventHeap}.
 *
 * <p>It may use {@code workload} and {@code transactions}.
 */
@NullMarked
package dev.cella.simulator.engine;

import org.jspecify.annotations.NullMarked;
