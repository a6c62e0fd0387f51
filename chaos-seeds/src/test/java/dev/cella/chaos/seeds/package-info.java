/** Runs of the simulated world under many seeds: everything must hold, and the same seed must give the same run. */
@NullMarked
package dev.cella.chaos.seeds;

import org.jspecify.annotations.NullMarked;
