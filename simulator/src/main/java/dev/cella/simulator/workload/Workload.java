package dev.cella.simulator.workload;

import java.util.Locale;

/** The two kinds of work of the dissertation (2.2.2), each with a stream of jobs of its own. */
public enum Workload {
    BATCH(RandomStream.BATCH_JOBS),
    SERVICE(RandomStream.SERVICE_JOBS);

    private final RandomStream stream;

    Workload(RandomStream stream) {
        this.stream = stream;
    }

    /** Which random stream its jobs are drawn from. */
    RandomStream stream() {
        return stream;
    }

    /** As people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
