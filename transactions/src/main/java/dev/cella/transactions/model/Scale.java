package dev.cella.transactions.model;

/**
 * Sets the number of tasks in a group of a scheduler's own job, if the job still has the generation that the scheduler has
 * seen. New tasks are pending; tasks above the number are told to stop.
 */
public record Scale(JobId job, int group, int generation, int count) {
    public Scale {
        if (group < 0 || generation < 1 || count < 0 || count > JobHeader.TASKS_MAX) {
            throw new IllegalArgumentException(
                    "group " + group + " of generation " + generation + " cannot have " + count + " tasks");
        }
    }
}
