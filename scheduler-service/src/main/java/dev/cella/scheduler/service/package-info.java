/**
 * Schedulers for work that stays. Start reading at {@code ServiceScheduler}: {@link
 * dev.cella.scheduler.service.ServicePlanner} places a service, {@code JobUpdate} and {@code GroupUpdate} update it and move the tasks that {@code Rebalancing} names, with what
 * {@code UpdateRecord} keeps in the cell and {@code UpdateMemory} in the scheduler.
 *
 * <p>May use {@code scheduling} without its {@code live}, and {@code transactions}; neither clock, threads nor I/O.
 */
@NullMarked
package dev.cella.scheduler.service;

import org.jspecify.annotations.NullMarked;
