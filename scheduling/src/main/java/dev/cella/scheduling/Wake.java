package dev.cella.scheduling;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
     * @param machines the names of the machines that count; if there are none, any machine does
     */
    record Room(JobKey job, int cell, Amounts shape, List<Constraint> constraints, Set<String> machines)
            implements Wake {
        public Room {
            constraints = List.copyOf(constraints);
            machines = Collections.unmodifiableSet(new LinkedHashSet<>(machines));
        }

        public Room(JobKey job, int cell, Amounts shape, List<Constraint> constraints) {
            this(job, cell, shape, constraints, Set.of());
        }

        /** A machine of the job's own cell. */
        public Room(JobKey job, Amounts shape, List<Constraint> constraints) {
            this(job, job.cell(), shape, constraints);
        }

        /** Without constraints. */
        public Room(JobKey job, Amounts shape) {
            this(job, shape, List.of());
        }

        /** Only on one of these machines, by name; at least one. */
        public Room on(Set<String> names) {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("room on a named machine needs a name");
            }
            return new Room(job, cell, shape, constraints, names);
        }

        /** Only on a machine that meets this constraint, too. */
        public Room and(Constraint constraint) {
            List<Constraint> all = new ArrayList<>(constraints);
            all.add(constraint);
            return new Room(job, cell, shape, all, machines);
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
