/**
 * Sees to it that no task outlives its agent: a process of its own that kills what it watches when the agent is gone or
 * hangs. Start reading at {@link dev.cella.agent.guard.Guard}, then {@link dev.cella.agent.guard.GuardMain}, which is
 * the other end of the pipe.
 *
 * <p>Uses the JDK alone, so that the guard's JVM is small and starts quickly.
 */
@NullMarked
package dev.cella.agent.guard;

import org.jspecify.annotations.NullMarked;
