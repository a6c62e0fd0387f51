/**
 * Schedulers for work that ends.
 *
 * <p>It may use {@code scheduling} without its {@code live}, and {@code transactions}; neither clock, threads nor I/O.
 */
@NullMarked
package dev.cella.scheduler.batch;

import org.jspecify.annotations.NullMarked;
