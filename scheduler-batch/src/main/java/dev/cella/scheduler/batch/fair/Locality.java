package dev.cella.scheduler.batch.fair;

/** How near to its input a task is placed, the nearest first. */
enum Locality {
    MACHINE,
    RACK,
    ANY;

    Locality further() {
        return this == MACHINE ? RACK : ANY;
    }
}
