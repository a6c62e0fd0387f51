package dev.cella.scheduling;

/** What is observed and reported by its owner; {@link Observations} keeps the values. */
public enum Measure {
    /** How long finished tasks of a group ran in the mean, in milliseconds. The subject is {@code job/group}. */
    RUN_MILLIS,
    /** How long a task would wait in a machine's queue, in milliseconds. The subject is the machine. */
    QUEUE_WAIT_MILLIS,
    /** How much of its processors a machine really uses, in thousandths. The subject is the machine. */
    USAGE_PERMILLE,
    /** How much of what a job reads is on a machine, in thousandths. The subject is {@code job/machine}. */
    LOCALITY_PERMILLE
}
