/**
 * What a whole cell does, measured from outside: real server processes on this machine with synced logs, and schedulers
 * in this process that commit over the streams that live schedulers use. Start reading at {@link
 * dev.cella.bench.cell.CommitBench}.
 *
 * <p>A figure is worth what is known of the machine that it was measured on, so each comes with its {@link
 * dev.cella.bench.cell.Conditions}.
 */
@NullMarked
package dev.cella.bench.cell;

import org.jspecify.annotations.NullMarked;
