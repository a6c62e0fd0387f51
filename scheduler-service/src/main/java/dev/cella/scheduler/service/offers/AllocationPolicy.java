package dev.cella.scheduler.service.offers;

/** The rule that picks the framework for the next machine. */
enum AllocationPolicy {
    /** The role with the lowest dominant share by its weight; in it the framework with the lowest. */
    DRF,
    /** A role drawn by weight; in it any framework. */
    LOTTERY
}
