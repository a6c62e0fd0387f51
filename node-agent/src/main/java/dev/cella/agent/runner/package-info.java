/**
 * Runs attempts: {@link dev.cella.agent.runner.ProcessRunner} as processes of the operating system, {@link
 * dev.cella.agent.runner.HollowRunner} as a simulation. Start reading at {@link dev.cella.agent.runner.TaskRunner}.
 *
 * <p>It may use {@code reconciler}'s values, {@code keeper}, {@code logs}, and from {@code cell-client} the variables of
 * commands.
 */
@NullMarked
package dev.cella.agent.runner;

import org.jspecify.annotations.NullMarked;
