package dev.cella.simulator.engine;

import dev.cella.simulator.workload.SimulatedJob;

/** A job whose tasks begin and end one by one. Belongs to the run. */
public final class RunningJob {
    private final SimulatedJob job;
    private int begun;
    private int ended;
    private boolean isWhole;

    public RunningJob(SimulatedJob job) {
        this.job = job;
    }

    public SimulatedJob job() {
        return job;
    }

    /** Returns whether it was the last one, and no task begins again. */
    boolean begin() {
        boolean isLast = ++begun == job.tasks() && !isWhole;
        isWhole |= isLast;
        return isLast;
    }

    /** A task that had begun was ended before its time, and will begin again. */
    public void beginAgain() {
        begun--;
    }

    boolean end() {
        return ++ended == job.tasks();
    }
}
