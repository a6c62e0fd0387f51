package dev.cella.simulator.replicated;

import dev.cella.simulator.engine.UnplacedJob;
import dev.cella.transactions.model.JobId;
import java.util.List;

/** A simulated job, its row in the cell, and how much of it is running. */
final class PlacedJob {
    final JobId id;
    final UnplacedJob open;

    /** The machines that have the block of each task; empty where its tasks read nothing. */
    final List<int[]> blocks;

    private int running;
    private boolean abandoned;

    PlacedJob(JobId id, UnplacedJob open, List<int[]> blocks) {
        this.id = id;
        this.open = open;
        this.blocks = blocks;
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

    /** Returns whether none of it runs or will run. */
    boolean isOver() {
        return running == 0 && (abandoned || open.isWhole());
    }
}
