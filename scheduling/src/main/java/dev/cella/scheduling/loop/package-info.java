/**
 * Drives a scheduler: which job is next, what is in flight, which jobs sleep until which event, when to retry. Start reading
 * at {@link dev.cella.scheduling.loop.SchedulerLoop}, a step machine: events and the time in, actions out.
 *
 * <p>It uses {@code dev.cella.scheduling} and {@code transactions}, and no clock, thread or I/O.
 */
@NullMarked
package dev.cella.scheduling.loop;

import org.jspecify.annotations.NullMarked;
