/**
 * Runs the tasks that the cell places on a machine, and reports their results. Start reading at {@link
 * dev.cella.agent.NodeAgent}; the {@code reconciler} that decides what to start and stop is a pure step machine.
 * {@link dev.cella.agent.CellAgent} offers a whole cell as one machine.
 *
 * <p>One thread, the agent's loop, owns all state of this package: events of the network and the runners are handed over to
 * it.
 *
 * <p>It may use {@code cell-client} and, through it, {@code transactions}.
 */
@NullMarked
package dev.cella.agent;

import org.jspecify.annotations.NullMarked;
