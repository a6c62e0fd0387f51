package dev.cella.scheduling;

/** Something that happened since the job's last plan and that a plan may want to know. */
public sealed interface Signal {
    JobKey job();

    /** The machine at this slot gained room that a waiting task of the job could use. */
    record Freed(JobKey job, int machine) implements Signal {}

    /** The time has come that a plan asked for with {@link Wake.At}. */
    record Due(JobKey job) implements Signal {}

    /** One or more of these happened to the job. */
    record Happened(JobKey job, Happening happening) implements Signal {}
}
