package dev.cella.transactions.model;

/**
 * Says how many tasks a group of a scheduler's own job is to have, where the job is still of the generation that the
 * scheduler has seen. More are pending; those above are told to stop.
 */
public record Scale(JobId job, int group, int generation, int count) {
    public Scale {
        if (group < 0 || generation < 1 || count < 0 || count > JobHeader.TASKS_MAX) {
            throw new IllegalArgumentException(
                    "group " + group + " of generation " + generation + " cannot have " + count + " tasks");
        }
    }
}
