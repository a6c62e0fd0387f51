/**
 * What a scheduler is: the plug-in interface, the loop that drives one, queues and reasons. This package is the stable
 * surface that a scheduler's jar is built against.
 *
 * <p>May use {@code transactions}; neither clock, threads nor I/O.
 */
@NullMarked
package dev.cella.scheduling;

import org.jspecify.annotations.NullMarked;
