package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Cold rows that changed since a checkpoint: the overlay through which newer rows are read before they are written. A
 * put and a later drop leave only the drop.
 *
 * <p>Nearly all of them are outcomes, which are kept in the order of their versions, and forgotten in it: those of an
 * entry are one row, and forgotten is all up to a version.
 *
 * <p>Changed by the apply thread until it is sealed, read by any; guarded by its own monitor.
 */
public final class ColdChanges {
    /** What became of a row: its bytes, or none if it was dropped. */
    public record Change(Optional<byte[]> row) {
        static final Change DROPPED = new Change(Optional.empty());
    }

    /** Where to they are written. The outcomes of an entry are put by the key of the last of them. */
    public interface Rows {
        void put(ColdKey key, byte[] row);

        void drop(ColdKey key);
    }

    private final TreeMap<CellVersion, EntryOutcomes> outcomesByLastVersion = new TreeMap<>();
    private CellVersion forgottenUpTo = CellVersion.NONE;
    private final Map<ColdKey, Change> changes = new HashMap<>();

    public synchronized void put(ColdKey key, byte[] row) {
        changes.put(key, new Change(Optional.of(row)));
    }

    public synchronized void drop(ColdKey key) {
        changes.put(key, Change.DROPPED);
    }

    /** The outcomes of an entry; versions of later ones are higher. */
    public synchronized void keep(EntryOutcomes outcomes) {
        if (!outcomes.isEmpty()) {
            outcomesByLastVersion.put(outcomes.lastVersion(), outcomes);
        }
    }

    /** The outcomes of these versions are dropped, and those of all before them were. */
    public synchronized void forget(long[] versions) {
        if (versions.length > 0) {
            forgottenUpTo = new CellVersion(versions[versions.length - 1]);
            outcomesByLastVersion.headMap(forgottenUpTo, true).clear();
        }
    }

    /** What this overlay says of the row; nothing if it says nothing. */
    synchronized Optional<Change> find(ColdKey key) {
        Change change = changes.get(key);
        return change == null && key.isOutcome()
                ? findOutcome(new CellVersion(key.version()))
                : Optional.ofNullable(change);
    }

    private Optional<Change> findOutcome(CellVersion version) {
        if (!version.isAfter(forgottenUpTo)) {
            return Optional.of(Change.DROPPED);
        }
        Map.Entry<CellVersion, EntryOutcomes> entry = outcomesByLastVersion.ceilingEntry(version);
        return entry == null
                ? Optional.empty()
                : EntryOutcomes.find(entry.getValue().bytes(), version)
                        .map(Optional::of)
                        .map(Change::new);
    }

    /** All of them but what is forgotten; of a sealed overlay, which nobody changes any more. */
    public synchronized void forEach(Rows rows) {
        outcomesByLastVersion.forEach((last, outcomes) -> rows.put(ColdKey.outcome(last), outcomes.bytes()));
        changes.forEach((key, change) -> change.row().ifPresentOrElse(row -> rows.put(key, row), () -> rows.drop(key)));
    }

    /** Outcomes up to here are forgotten. A row with later ones among them is still needed. */
    public synchronized CellVersion forgottenUpTo() {
        return forgottenUpTo;
    }
}
