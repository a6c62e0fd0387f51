package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobHeader;
import java.util.List;

/** A job that waits for its turn, as an {@link Agenda} sees it. */
public interface Waiting {
    JobKey key();

    JobHeader job();

    /** When it began to wait for its present tasks. A retry keeps this time. */
    CellTime since();

    /** How many of its tasks need a machine; 0 if it has its turn for another reason. */
    int pending();

    /** How many scheduling attempts it has had. */
    int attempts();

    /** The signals since its last turn. */
    List<Signal> signals();

    default String pool() {
        return job().pool();
    }

    default int priority() {
        return job().priority();
    }
}
