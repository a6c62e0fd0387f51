package dev.cella.state.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Cold rows that changed since a checkpoint: the overlay through which newer rows are read before they are written. A
 * put and a later drop leave only the drop.
 *
 * <p>Changed by the apply thread until it is sealed, read by any; guarded by its own monitor.
 */
public final class ColdChanges {
    /** What became of a row: its bytes, or none if it was dropped. */
    public record Change(Optional<byte[]> row) {}

    private final Map<ColdKey, Change> changes = new HashMap<>();

    public synchronized void put(ColdKey key, byte[] row) {
        changes.put(key, new Change(Optional.of(row)));
    }

    public synchronized void drop(ColdKey key) {
        changes.put(key, new Change(Optional.empty()));
    }

    /** What this overlay says of the row; nothing if it says nothing. */
    synchronized Optional<Change> find(ColdKey key) {
        return Optional.ofNullable(changes.get(key));
    }

    /** All of them; of a sealed overlay, which nobody changes any more. */
    public synchronized Map<ColdKey, Change> all() {
        return Map.copyOf(changes);
    }
}
