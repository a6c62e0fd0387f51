/**
 * Keeps the tasks of an agent alive while the agent is away: a process of its own that starts them, takes in what they
 * print and learns how they end. Start reading at {@link dev.cella.agent.keeper.Keeper}, which is the agent's end, then
 * {@link dev.cella.agent.keeper.KeeperMain}, which is the process; {@link dev.cella.agent.keeper.Wire} is what they say to
 * each other.
 *
 * <p>Uses the JDK alone, so that the keeper's JVM is small and starts quickly.
 */
@NullMarked
package dev.cella.agent.keeper;

import org.jspecify.annotations.NullMarked;
