/**
 * Runs the tasks that the cell places on a machine, and reports what became of them. Start reading at {@link
 * dev.cella.agent.NodeAgent}; the {@code reconciler} that decides what to start and stop is a pure step machine.
 *
 * <p>All state of this package is owned by one thread, the agent's loop: what the network and the runners say is handed
 * over to it.
 *
 * <p>May use {@code cell-client} and, through it, {@code transactions}.
 */
@NullMarked
package dev.cella.agent;

import org.jspecify.annotations.NullMarked;
