/**
 * Decides what to do on one machine, without doing it. {@link dev.cella.agent.reconciler.Reconciler} is the step machine:
 * start reading there. It receives {@link dev.cella.agent.reconciler.AgentEvent}s and requests {@link
 * dev.cella.agent.reconciler.AgentAction}s.
 *
 * <p>Pure: no thread, clock or I/O. It may use the model of {@code transactions}.
 */
@NullMarked
package dev.cella.agent.reconciler;

import org.jspecify.annotations.NullMarked;
