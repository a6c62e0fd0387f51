package dev.cella.simulator.workload;

import java.util.List;

/** The content of a trace: jobs that arrive, or jobs that stand in the cell before. */
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
