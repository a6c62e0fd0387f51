/**
 * Measures a whole cell from outside: real server processes on this machine with synced logs, and schedulers in this process
 * that commit over the streams of live schedulers. Start reading at {@link dev.cella.bench.cell.CommitBench}.
 * {@code OperateBench}, {@code ClosedBench}, {@code ClientsBench} and {@code HostileBench} measure what an operator relies on,
 * {@code RestBench} what servers use that have nothing to do.
 *
 * <p>A figure is meaningful only with the machine that it was measured on, so each comes with its {@link
 * dev.cella.bench.cell.Conditions}.
 */
@NullMarked
package dev.cella.bench.cell;

import org.jspecify.annotations.NullMarked;
