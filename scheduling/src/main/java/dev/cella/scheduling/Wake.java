package dev.cella.scheduling;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import java.util.List;

/**
 * What a plan waits for before a job's next turn is worth its time. A job with tasks left and several wakes is woken by
 * the first; one without any wake sleeps until something of its own changes.
 */
public sealed interface Wake {
    JobId job();

    /**
     * A machine that meets the constraints gains room (something on it ended, it was registered, it is READY again) and
     * could then hold one task of this shape.
     */
    record Room(JobId job, Amounts shape, List<Constraint> constraints) implements Wake {
        public Room {
            constraints = List.copyOf(constraints);
        }

        /** Any machine will do. */
        public Room(JobId job, Amounts shape) {
            this(job, shape, List.of());
        }
    }

    /** A task of the job itself ends. */
    record Ended(JobId job) implements Wake {}

    /** This time has come. */
    record At(JobId job, CellTime time) implements Wake {}
}
