/**
 * Keeps the tasks of an agent alive while the agent is away: a separate process starts them, collects their output and learns
 * how they end. Start reading at {@link dev.cella.agent.keeper.Keeper}, which is the agent's side, then {@link
 * dev.cella.agent.keeper.KeeperMain}, which is the process; {@link dev.cella.agent.keeper.Wire} is their protocol.
 *
 * <p>Uses only the JDK, so that the keeper's JVM is small and starts quickly.
 */
@NullMarked
package dev.cella.agent.keeper;

import org.jspecify.annotations.NullMarked;
