package dev.cella.simulator.workload;

import java.util.Locale;

/** The two kinds of work of the dissertation (2.2.2), each with its own stream of jobs. */
public enum Workload {
    BATCH(RandomStream.BATCH_JOBS),
    SERVICE(RandomStream.SERVICE_JOBS);

    private final RandomStream stream;

    Workload(RandomStream stream) {
        this.stream = stream;
    }

    /** The random stream of its jobs. */
    RandomStream stream() {
        return stream;
    }

    /** The name for people. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
