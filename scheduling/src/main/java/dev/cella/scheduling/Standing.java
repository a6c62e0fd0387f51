package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Everything that waits for its turn, at one moment, in the order that the {@link Agenda} asked for. It is read lazily:
 * the first job costs the logarithm of what waits, and nothing is copied. Jobs that sleep until there is room are among
 * those that wait once a machine has room for them: of those that wait for the same room, the first one.
 *
 * <p>It is void when the agenda returns.
 */
public interface Standing {
    CellTime now();

    /** All that wait, the first in order first. */
    Iterator<Waiting> jobs();

    /** Those that wait in that pool itself, the first in order first. Only for an agenda that is {@link Agenda#perPool}. */
    Iterator<Waiting> jobs(PoolStanding pool);

    /** The pools in which jobs wait, by cell and path. Only for an agenda that is {@link Agenda#perPool}. */
    List<PoolStanding> pools();

    /** The first in order, if anything waits. */
    default Optional<Waiting> first() {
        Iterator<Waiting> jobs = jobs();
        return jobs.hasNext() ? Optional.of(jobs.next()) : Optional.empty();
    }

    /** The first in order of those that wait in that pool itself. */
    default Optional<Waiting> first(PoolStanding pool) {
        Iterator<Waiting> jobs = jobs(pool);
        return jobs.hasNext() ? Optional.of(jobs.next()) : Optional.empty();
    }
}
