package dev.cella.simulator.replicated;

import dev.cella.simulator.engine.UnplacedJob;
import dev.cella.transactions.model.JobId;

/** A simulated job, its row in the cell, and how much of it is running. */
final class PlacedJob {
    final JobId id;
    final UnplacedJob open;
    private int running;
    private boolean abandoned;

    PlacedJob(JobId id, UnplacedJob open) {
        this.id = id;
        this.open = open;
    }

    void begin(int tasks) {
        running += tasks;
    }

    void end(int tasks) {
        running -= tasks;
    }

    void abandon() {
        abandoned = true;
    }

    /** Whether none of it runs or will run. */
    boolean isOver() {
        return running == 0 && (abandoned || open.isWhole());
    }
}
