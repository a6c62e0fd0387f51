package dev.cella.scheduling.placement;

import dev.cella.transactions.cell.tables.JobRow;

/**
 * The source of jobs' requirements for machines. The cell stores them in bytes that decisions do not read: a live scheduler
 * decodes them, and a simulation knows them beforehand.
 */
@FunctionalInterface
public interface Placements {
    /** No job has requirements. */
    Placements ANYWHERE = job -> Placement.ANYWHERE;

    /** The requirements of the job's generation in the row. */
    Placement of(JobRow job);
}
