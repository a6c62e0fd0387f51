package dev.cella.scheduling;

import dev.cella.transactions.model.JobId;

/** Something that happened since the last plan and that a plan may want to know. */
public sealed interface Signal {
    /** The job whose plan asked to be woken by it. */
    JobId job();

    /** The machine at this slot gained room that a waiting task of the job could use. */
    record Freed(JobId job, int machine) implements Signal {}

    /** The time has come that a plan asked for with {@link Wake.At}. */
    record Due(JobId job) implements Signal {}
}
