/**
 * What a scheduler is: the plug-in interface, the view it plans on, and the reasons it gives. This package is the stable
 * surface that a scheduler's jar is built against.
 *
 * <p>Start reading at {@link dev.cella.scheduling.JobPlanner}, the easy door, or {@link
 * dev.cella.scheduling.Scheduler}, the whole one; both plan on a {@link dev.cella.scheduling.PlanningView}. What drives
 * them is in {@code loop}, what joins that to a cell in {@code live}.
 *
 * <p>May use {@code transactions}; neither clock, threads nor I/O.
 */
@NullMarked
package dev.cella.scheduling;

import org.jspecify.annotations.NullMarked;
