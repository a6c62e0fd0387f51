/**
 * Schedulers for work that stays. Start reading at {@code ServiceScheduler}: {@link
 * dev.cella.scheduler.service.ServicePlanner} places a service, {@code JobUpdate} and {@code GroupUpdate} update it and move
 * the tasks that {@code Rebalancing} names. {@code UpdateRecord} is what they keep in the cell, and {@code UpdateMemory} what
 * they keep in the scheduler.
 *
 * <p>It may use {@code scheduling} without its {@code live}, and {@code transactions}. Its classes read no
 * clock, start no thread and do no I/O.
 */
@NullMarked
package dev.cella.scheduler.service;

import org.jspecify.annotations.NullMarked;
