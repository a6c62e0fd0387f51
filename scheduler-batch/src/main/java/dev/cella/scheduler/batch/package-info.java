/**
 * Schedulers for work that ends.
 *
 * <p>It may use {@code scheduling} without its {@code live}, and {@code transactions}. Its classes read no
 * clock, start no thread and do no I/O.
 */
@NullMarked
package dev.cella.scheduler.batch;

import org.jspecify.annotations.NullMarked;
