package dev.cella.scheduling;

import java.util.List;

/**
 * How a jar offers a type of scheduler: a provider for each type, found by {@link java.util.ServiceLoader}. The same jar runs
 * live, beside others in a development cell, and in the simulator.
 */
public interface SchedulerProvider {
    /** The type's name, as in {@code batch}. */
    String type();

    /** What can be set, in the order in which help should show it. */
    List<SchedulerOption> options();

    /** A scheduler of this type, with the options as set. */
    Scheduler<?> create(SchedulerOptions options);
}
