/**
 * Traces from disk, figures to disk. The only part of the simulator that does input and output; what a trace means is
 * read by {@code workload}, what a figure looks like is drawn by {@code experiment}.
 *
 * <p>May use {@code workload} and {@code experiment}.
 */
@NullMarked
package dev.cella.simulator.files;

import org.jspecify.annotations.NullMarked;
