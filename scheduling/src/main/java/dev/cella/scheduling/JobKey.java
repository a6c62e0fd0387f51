package dev.cella.scheduling;

import dev.cella.transactions.model.JobId;

/**
 * A job of one of the cells that a scheduler works on.
 *
 * @param cell the place of its cell in the list of views that a plan gets; the only cell has place 0
 * @param id its identity, which is unique only within its cell
 */
public record JobKey(int cell, JobId id) {
    public JobKey {
        if (cell < 0) {
            throw new IllegalArgumentException("a cell has a place from 0 on, not " + cell);
        }
    }

    /** A job of the only cell. */
    public static JobKey of(JobId id) {
        return new JobKey(0, id);
    }
}
