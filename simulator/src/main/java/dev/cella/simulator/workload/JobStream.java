package dev.cella.simulator.workload;

import org.jspecify.annotations.Nullable;

/** Jobs in the order of their arrival, made on request. */
public interface JobStream {
    /** The next job, or null at the end. */
    @Nullable
    SimulatedJob next();
}
