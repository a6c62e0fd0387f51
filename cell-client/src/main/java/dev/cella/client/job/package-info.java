/**
 * The rules of a job beyond its form, shared by the server that accepts it and the command that validates it. Start reading at
 * {@link dev.cella.client.job.JobRules}.
 *
 * <p>It may use {@code json} for the form of its faults, and the generated messages.
 */
@NullMarked
package dev.cella.client.job;

import org.jspecify.annotations.NullMarked;
