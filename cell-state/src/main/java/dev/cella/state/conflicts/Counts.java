package dev.cella.state.conflicts;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts by key, for a bounded number of keys. Once the bound is reached, new keys are not counted. */
final class Counts<K extends Comparable<K>> {
    private final int keysMax;
    private final Map<K, Long> counts = new LinkedHashMap<>();

    Counts(int keysMax) {
        this.keysMax = keysMax;
    }

    void add(K key, long count) {
        if (counts.containsKey(key) || counts.size() < keysMax) {
            counts.merge(key, count, Long::sum);
        }
    }

    void addAll(Counts<K> other) {
        other.counts.forEach(this::add);
    }

    /** The most frequent first; equal counts are in the order of their keys. */
    List<Map.Entry<K, Long>> mostFirst() {
        List<Map.Entry<K, Long>> sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(Map.Entry.<K, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()));
        return sorted;
    }
}
