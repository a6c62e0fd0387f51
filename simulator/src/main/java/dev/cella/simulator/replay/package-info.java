/**
 * A window of a live cell, decided again in virtual time: what if a scheduler had other settings?
 *
 * <p>Start at {@link dev.cella.simulator.replay.WindowReplayer}. {@code ReplayedCell} is the cell with the machines and jobs of
 * the window, {@code ReplayedLoop} one instance of a scheduler.
 *
 * <p>It may use {@code engine}, {@code workload}, the loop in virtual time of {@code replicated}, {@code scheduling} and
 * {@code transactions}.
 */
@NullMarked
package dev.cella.simulator.replay;

import org.jspecify.annotations.NullMarked;
