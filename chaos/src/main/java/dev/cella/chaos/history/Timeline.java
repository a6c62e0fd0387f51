package dev.cella.chaos.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The state of the cell, sampled twice per second, for the report's time line. */
public final class Timeline {
    /** Placements and conflicts are counted from the beginning. */
    public record Sample(
            long atMillis, Optional<String> leader, long placements, long conflicts, long pending, long running) {}

    private final List<Sample> samples = new ArrayList<>();

    public void add(Sample sample) {
        samples.add(sample);
    }

    public List<Sample> samples() {
        return List.copyOf(samples);
    }
}
