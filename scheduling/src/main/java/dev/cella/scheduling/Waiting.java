package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobHeader;
import java.util.List;

/** A job that waits for its turn, as an {@link Agenda} sees it. */
public interface Waiting {
    JobKey key();

    JobHeader job();

    /** When it began to wait for what it waits for now. A retry keeps it. */
    CellTime since();

    /** How many of its tasks are to be placed; none if it has its turn for another reason. */
    int pending();

    /** How many scheduling attempts it has had. */
    int attempts();

    /** What happened since its last turn. */
    List<Signal> signals();

    default String pool() {
        return job().pool();
    }

    default int priority() {
        return job().priority();
    }
}
