package dev.cella.simulator.engine;

import dev.cella.simulator.workload.SimulatedJob;

/** A job that is not placed completely yet, with its attempts. */
public final class UnplacedJob {
    private final SimulatedJob job;
    private int placed;
    private int attempts;
    private int attemptsWithoutProgress;
    private int ended;

    public UnplacedJob(SimulatedJob job) {
        this.job = job;
    }

    public SimulatedJob job() {
        return job;
    }

    public int placed() {
        return placed;
    }

    public int tasksLeft() {
        return job.tasks() - placed;
    }

    public boolean isWhole() {
        return placed == job.tasks();
    }

    /** Counts the attempt that begins now: 1 for the first. */
    public int attempt() {
        return ++attempts;
    }

    /** The attempt placed that many of its tasks. */
    public void placed(int accepted) {
        placed += accepted;
        attemptsWithoutProgress = accepted == 0 ? attemptsWithoutProgress + 1 : 0;
    }

    /** Counts tasks that ended. Returns whether all have. */
    public boolean end(int tasks) {
        ended += tasks;
        return ended == job.tasks();
    }

    public boolean isHopeless(AttemptLimits limits) {
        return attemptsWithoutProgress >= limits.withoutProgressMax() || attempts >= limits.max();
    }
}
