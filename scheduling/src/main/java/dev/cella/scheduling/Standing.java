package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * All jobs that wait for their turn at one moment, in the order of the {@link Agenda}. It is read lazily: the first job costs
 * the logarithm of the number of waiting jobs, and nothing is copied. Jobs that sleep until there is room appear once a
 * machine has room for them; of those that wait for the same room, only the first appears.
 *
 * <p>It is invalid after the agenda returns.
 */
public interface Standing {
    CellTime now();

    /** All waiting jobs, in order. */
    Iterator<Waiting> jobs();

    /** The jobs that wait in that pool itself, in order. Only for an agenda that is {@link Agenda#perPool}. */
    Iterator<Waiting> jobs(PoolStanding pool);

    /** The pools in which jobs wait, by cell and path. Only for an agenda that is {@link Agenda#perPool}. */
    List<PoolStanding> pools();

    /** The first waiting job, if any. */
    default Optional<Waiting> first() {
        Iterator<Waiting> jobs = jobs();
        return jobs.hasNext() ? Optional.of(jobs.next()) : Optional.empty();
    }

    /** The first of the jobs that wait in that pool itself. */
    default Optional<Waiting> first(PoolStanding pool) {
        Iterator<Waiting> jobs = jobs(pool);
        return jobs.hasNext() ? Optional.of(jobs.next()) : Optional.empty();
    }
}
