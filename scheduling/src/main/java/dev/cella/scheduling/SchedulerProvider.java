package dev.cella.scheduling;

import java.util.List;

/**
 * The interface through which a jar offers scheduler types: one provider per type, found by {@link java.util.ServiceLoader}.
 * The same jar runs live, in a development cell, and in the simulator.
 */
public interface SchedulerProvider {
    /** The type's name, as in {@code batch}. */
    String type();

    /** The options, in the order in which help shows them. */
    List<SchedulerOption> options();

    /** A scheduler of this type with these options. */
    Scheduler<?> create(SchedulerOptions options);
}
