package dev.cella.simulator.workload;

import org.jspecify.annotations.Nullable;

/** Jobs in the order in which they arrive, made as they are asked for. */
public interface JobStream {
    /** The next job, or null when no more come. */
    @Nullable
    SimulatedJob next();
}
