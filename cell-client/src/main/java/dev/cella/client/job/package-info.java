/**
 * What a job must be beyond its form, the same for the server that takes it and the command that validates it. Start
 * reading at {@link dev.cella.client.job.JobRules}.
 *
 * <p>May use {@code json} for the form of its faults, and the generated messages.
 */
@NullMarked
package dev.cella.client.job;

import org.jspecify.annotations.NullMarked;
