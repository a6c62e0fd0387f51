package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;

/**
 * What a plan waits for before a job's next turn is worth its time. A job with tasks left and several wakes is woken by
 * the first; one without any wake sleeps until something of its own changes.
 */
public sealed interface Wake {
    JobId job();

    /**
     * A machine gains room (something on it ended, it was registered, it is READY again) and could then hold one task of
     * this shape.
     */
    record Room(JobId job, Amounts shape) implements Wake {}

    /** This time has come. */
    record At(JobId job, CellTime time) implements Wake {}
}
