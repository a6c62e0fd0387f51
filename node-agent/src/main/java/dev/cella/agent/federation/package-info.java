/**
 * A whole cell as one machine of another cell, its home: a task that the home places there runs as a job of its own in the
 * member cell, its twin.
 *
 * <p>Start reading at {@link dev.cella.agent.federation.TwinRunner}. It may use {@code reconciler}, {@code runner} and {@code
 * logs} of the agent, and the client of the cell.
 */
@NullMarked
package dev.cella.agent.federation;

import org.jspecify.annotations.NullMarked;
