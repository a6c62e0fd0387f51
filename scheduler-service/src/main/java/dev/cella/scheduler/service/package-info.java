/**
 * Schedulers for work that stays. Start reading at {@link dev.cella.scheduler.service.ServicePlanner}.
 *
 * <p>May use {@code scheduling} without its {@code live}, and {@code transactions}; neither clock, threads nor I/O.
 */
@NullMarked
package dev.cella.scheduler.service;

import org.jspecify.annotations.NullMarked;
