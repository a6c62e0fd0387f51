package dev.cella.simulator.workload;

import java.util.List;

/** What a trace says: jobs that arrive, or what stands in the cell before anything arrives. */
public sealed interface Trace {
    /** Jobs in the order of the file. */
    record Arrivals(List<SimulatedJob> jobs) implements Trace {
        public Arrivals {
            jobs = List.copyOf(jobs);
        }
    }

    /** Jobs that were there before. */
    record Standing(List<StandingJob> jobs) implements Trace {
        public Standing {
            jobs = List.copyOf(jobs);
        }
    }
}
