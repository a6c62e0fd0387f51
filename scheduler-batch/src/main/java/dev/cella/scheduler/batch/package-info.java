/**
 * Schedulers for work that ends.
 *
 * <p>It may use {@code scheduling} without its {@code live}, and {@code transactions}. It reads no clock, starts no
 * thread and does no I/O.
 */
@NullMarked
package dev.cella.scheduler.batch;

import org.jspecify.annotations.NullMarked;
