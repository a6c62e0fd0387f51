package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Cold rows that changed since a checkpoint: the overlay through which newer rows are read before they are written. A
 * put and a later drop leave only the drop.
 *
 * <p>Nearly all of them are outcomes, which are kept in the order of their versions, and forgotten in it.
 *
 * <p>Changed by the apply thread until it is sealed, read by any; guarded by its own monitor.
 */
public final class ColdChanges {
    /** What became of a row: its bytes, or none if it was dropped. */
    public record Change(Optional<byte[]> row) {
        static final Change DROPPED = new Change(Optional.empty());
    }

    /** Where to they are written. */
    public interface Rows {
        void put(ColdKey key, byte[] row);

        void drop(ColdKey key);
    }

    private final TreeMap<Long, EntryOutcomes> outcomesByFirstVersion = new TreeMap<>();
    private long[] forgotten = {};
    private int forgottenCount;
    private final Map<ColdKey, Change> changes = new HashMap<>();

    public synchronized void put(ColdKey key, byte[] row) {
        changes.put(key, new Change(Optional.of(row)));
    }

    public synchronized void drop(ColdKey key) {
        changes.put(key, Change.DROPPED);
    }

    /** The outcomes of an entry; versions of later ones are higher. */
    synchronized void keep(EntryOutcomes outcomes) {
        if (!outcomes.isEmpty()) {
            outcomesByFirstVersion.put(outcomes.firstVersion(), outcomes);
        }
    }

    /** The outcomes of these versions are dropped, and those of all before them were. */
    synchronized void forget(long[] versions) {
        if (forgottenCount + versions.length > forgotten.length) {
            forgotten = Arrays.copyOf(forgotten, Math.max(2 * forgotten.length, forgottenCount + versions.length));
        }
        System.arraycopy(versions, 0, forgotten, forgottenCount, versions.length);
        forgottenCount += versions.length;
    }

    /** What this overlay says of the row; nothing if it says nothing. */
    synchronized Optional<Change> find(ColdKey key) {
        Change change = changes.get(key);
        return change == null && key.isOutcome() ? findOutcome(key.version()) : Optional.ofNullable(change);
    }

    private Optional<Change> findOutcome(long version) {
        if (forgottenCount > 0 && version <= forgotten[forgottenCount - 1]) {
            return Optional.of(Change.DROPPED);
        }
        Map.Entry<Long, EntryOutcomes> entry = outcomesByFirstVersion.floorEntry(version);
        return entry == null
                ? Optional.empty()
                : entry.getValue().find(version).map(Optional::of).map(Change::new);
    }

    /** All of them, a drop after the put that it follows; of a sealed overlay, which nobody changes any more. */
    public synchronized void forEach(Rows rows) {
        outcomesByFirstVersion.values().forEach(outcomes -> outcomes.forEach(rows::put));
        changes.forEach((key, change) -> change.row().ifPresentOrElse(row -> rows.put(key, row), () -> rows.drop(key)));
        for (int each = 0; each < forgottenCount; each++) {
            rows.drop(ColdKey.outcome(new CellVersion(forgotten[each])));
        }
    }
}
