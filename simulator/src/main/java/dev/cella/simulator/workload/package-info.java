/**
 * What arrives, when: the work that every architecture is given, alike. The exponential streams of the dissertation
 * (Table 3.1), and readers of traces that say line and column of what they cannot read.
 *
 * <p>Uses nothing of the simulator; reads text, never a file.
 */
@NullMarked
package dev.cella.simulator.workload;

import org.jspecify.annotations.NullMarked;
