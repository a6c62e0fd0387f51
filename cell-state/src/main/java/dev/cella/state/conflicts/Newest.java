package dev.cella.state.conflicts;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map with a bounded number of keys. The key whose last put is oldest is removed first. */
final class Newest<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int keysMax;

    Newest(int keysMax) {
        super(16, 0.75f, true);
        this.keysMax = keysMax;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > keysMax;
    }
}
