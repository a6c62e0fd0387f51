package dev.cella.scheduling;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import java.util.List;

/**
 * The event that a plan waits for before the job's next turn is worthwhile. The first of several wakes wakes the job. A job
 * without any wake sleeps until something of its own changes.
 */
public sealed interface Wake {
    JobKey job();

    /** Passes the wake to its keeper. */
    void set(Setter setter);

    /** Keeps wakes, with one method per kind, so that a new kind cannot be forgotten. */
    interface Setter {
        void room(Room wake);

        void on(On wake);

        void at(At wake);
    }

    /**
     * A machine that meets the constraints gains room (a task on it ended, it was registered, it is READY again) and could
     * then hold one task of this shape.
     *
     * @param cell the place of the machine's cell, which need not be the job's
     * @param shape amounts of that cell
     */
    record Room(JobKey job, int cell, Amounts shape, List<Constraint> constraints) implements Wake {
        public Room {
            constraints = List.copyOf(constraints);
        }

        /** A machine of the job's own cell. */
        public Room(JobKey job, Amounts shape, List<Constraint> constraints) {
            this(job, job.cell(), shape, constraints);
        }

        /** Without constraints. */
        public Room(JobKey job, Amounts shape) {
            this(job, shape, List.of());
        }

        @Override
        public void set(Setter setter) {
            setter.room(this);
        }
    }

    /** Something happens to the job. The wake also works if that happens while the job is being planned. */
    record On(JobKey job, Happening happening) implements Wake {
        @Override
        public void set(Setter setter) {
            setter.on(this);
        }
    }

    /** This time has come. */
    record At(JobKey job, CellTime time) implements Wake {
        @Override
        public void set(Setter setter) {
            setter.at(this);
        }
    }
}
