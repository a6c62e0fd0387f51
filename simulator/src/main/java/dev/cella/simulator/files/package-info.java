/**
 * Reads traces from disk and writes figures to disk. The only part of the simulator with input and output; {@code workload}
 * interprets traces, and {@code experiment} draws figures.
 *
 * <p>It may use {@code workload} and {@code experiment}.
 */
@NullMarked
package dev.cella.simulator.files;

import org.jspecify.annotations.NullMarked;
