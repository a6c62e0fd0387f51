/**
 * Runs the tasks that the cell places on a machine, and reports what became of them. The reconciler that decides what
 * to start and stop is a pure step machine: start reading there.
 *
 * <p>May use {@code cell-client} and, through it, {@code transactions}.
 */
@NullMarked
package dev.cella.agent;

import org.jspecify.annotations.NullMarked;
