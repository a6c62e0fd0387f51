/**
 * The work that every architecture gets: which jobs arrive, and when. It has the exponential streams of the dissertation
 * (Table 3.1), and readers of traces, which name the line and column of a fault.
 *
 * <p>Uses nothing of the simulator; reads text, never a file.
 */
@NullMarked
package dev.cella.simulator.workload;

import org.jspecify.annotations.NullMarked;
