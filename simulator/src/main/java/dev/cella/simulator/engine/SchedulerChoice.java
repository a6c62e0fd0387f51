package dev.cella.simulator.engine;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The schedulers of a workload of the shared-state architecture: their number, type and options. */
public record SchedulerChoice(int count, String type, SortedMap<String, String> options) {
    public static final int COUNT_MAX = 1000;

    public SchedulerChoice {
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
        if (count < 1 || count > COUNT_MAX) {
            throw new ImpossibleParameterException(
                    "a workload has 1 to " + COUNT_MAX + " schedulers, not " + count, "--batch-schedulers 1");
        }
    }

    /** One scheduler of the type that every cell has. */
    public static SchedulerChoice one() {
        return new SchedulerChoice(1, "batch", new TreeMap<>());
    }
}
