package dev.cella.simulator.engine;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts the offers of an allocator. */
public final class OfferMeter {
    private long made;
    private long declined;

    public void made(long count) {
        made += count;
    }

    /** One was given back. */
    public void declined() {
        declined++;
    }

    /** As the report of a run has them. */
    public SortedMap<String, Long> events() {
        return new TreeMap<>(Map.of("offersMade", made, "offersDeclined", declined));
    }
}
