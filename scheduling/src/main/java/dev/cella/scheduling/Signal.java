package dev.cella.scheduling;

/** An event since the job's last plan that a plan may want to know. */
public sealed interface Signal {
    JobKey job();

    /** The machine in this slot gained room that a waiting task of the job could use. */
    record Freed(JobKey job, int machine) implements Signal {}

    /** The time has come that a plan asked for with {@link Wake.At}. */
    record Due(JobKey job) implements Signal {}

    /** This happened to the job, once or more. */
    record Happened(JobKey job, Happening happening) implements Signal {}
}
