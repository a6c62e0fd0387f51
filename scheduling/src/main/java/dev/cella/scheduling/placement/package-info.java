/**
 * The requirements of a job's groups for machines, as data, and the indexes that find the matching machines.
 *
 * <p>Start reading at {@link dev.cella.scheduling.placement.GroupPlacement}, one group's musts and wishes; {@link
 * dev.cella.scheduling.placement.MachineIndex} finds the machines. {@link dev.cella.scheduling.placement.GroupLife} says when a
 * group starts and how it is updated. The values are part of the surface that a scheduler's jar is built against.
 *
 * <p>It may use {@code transactions}. Its classes read no clock, start no thread and do no I/O.
 */
@NullMarked
package dev.cella.scheduling.placement;

import org.jspecify.annotations.NullMarked;
