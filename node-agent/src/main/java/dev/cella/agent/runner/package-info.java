/**
 * Runs attempts: {@link dev.cella.agent.runner.ProcessRunner} as processes of the operating system, {@link
 * dev.cella.agent.runner.HollowRunner} in name only. Start reading at {@link dev.cella.agent.runner.TaskRunner}.
 *
 * <p>May use {@code reconciler}'s values, {@code guard}, {@code logs}, and of {@code cell-client} how a command is filled in.
 */
@NullMarked
package dev.cella.agent.runner;

import org.jspecify.annotations.NullMarked;
