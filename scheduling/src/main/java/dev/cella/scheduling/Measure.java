package dev.cella.scheduling;

/** The measures that owners report; {@link Observations} keeps the values. */
public enum Measure {
    /** The mean run time of finished tasks of a group, in milliseconds. The subject is {@code job/group}. */
    RUN_MILLIS,
    /** How much of its processors a machine really uses, in thousandths. The subject is the machine. */
    USAGE_PERMILLE,
    /** How much of a job's input is on a machine, in thousandths. The subject is {@code job/machine}. */
    LOCALITY_PERMILLE
}
