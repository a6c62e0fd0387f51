package dev.cella.scheduling.placement;

import dev.cella.transactions.cell.JobRow;

/**
 * Where a scheduler learns what a job asks of machines. The cell keeps that among the bytes that decisions do not read:
 * live they are decoded, in a simulation the placement is known beforehand.
 */
@FunctionalInterface
public interface Placements {
    /** No job asks anything. */
    Placements ANYWHERE = job -> Placement.ANYWHERE;

    /** What the job asks in the generation that the row shows. */
    Placement of(JobRow job);
}
