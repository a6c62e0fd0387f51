/**
 * What is to be done on one machine, decided without doing it. {@link dev.cella.agent.reconciler.Reconciler} is the step
 * machine: start reading there. {@link dev.cella.agent.reconciler.AgentEvent} is what it hears, {@link
 * dev.cella.agent.reconciler.AgentAction} what it wants.
 *
 * <p>Pure: no thread, clock or I/O. May use the model of {@code transactions}.
 */
@NullMarked
package dev.cella.agent.reconciler;

import org.jspecify.annotations.NullMarked;
