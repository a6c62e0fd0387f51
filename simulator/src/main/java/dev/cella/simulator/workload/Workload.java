package dev.cella.simulator.workload;

import java.util.Locale;

/** The two kinds of work of the dissertation (2.2.2), each with a stream of jobs of its own. */
public enum Workload {
    BATCH(1),
    SERVICE(2);

    private final int stream;

    Workload(int stream) {
        this.stream = stream;
    }

    /** Which random stream its jobs are drawn from. */
    int stream() {
        return stream;
    }

    /** As people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
